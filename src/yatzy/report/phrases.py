"""All that a coach says, as templates by language. Whoever adds a language fills in one `Phrases`.

`wording` puts numbers into them. Names of categories and games come from the games.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """The templates of one language."""

    decimal: str
    grades: tuple[str, str, str, str, str]
    """In the order of `Grade`."""
    rolls_left: tuple[str, str, str]
    """None, one, several."""
    keep: str
    keep_none: str
    keep_all: str
    score: str
    strike: str
    """Moves as the subject of a sentence, in the middle of it."""
    units: tuple[str, str, str]
    """A loss in points, in chances, in worth."""
    better: tuple[str, str, str]
    """The value of two moves in points, in chances, in worth."""
    equal: str
    it_gives: str
    then_gives: str
    """The same where the outlook is of other play than the values."""
    alike: str
    more: str
    less: str
    jokers_more: str
    jokers_less: str
    bonus_more: str
    bonus_less: str
    conjunction: str
    but: str
    outlook_of: str
    sampled: str
    headings: tuple[str, str, str, str, str]
    """Category, points to expect, chance of points, chance in this turn, difference."""
    sums: tuple[str, str, str, str]
    """The upper bonus, Joker bonuses, points so far, the final score."""
    range: str
    question: str
    origin: str
    rules: str
    ask: str
    right: str
    wrong: str
    tally: str
    nothing_answered: str


_ENGLISH = Phrases(
    decimal=".",
    grades=("best", "good", "inaccuracy", "mistake", "blunder"),
    rolls_left=("no roll left", "1 roll left", "{count} rolls left"),
    keep="keeping {dice}",
    keep_none="rolling all dice again",
    keep_all="keeping all dice",
    score="taking {category}",
    strike="striking {category}",
    units=("{amount} points", "{amount} percentage points", "{amount}"),
    better=(
        "{first} is worth {difference} points more than {other}: {value} against {less}.",
        "{first} has a better chance than {other}: {value} against {less}.",
        "{first} is worth more than {other}: {value} against {less}.",
    ),
    equal="{first} and {other} are equally good: {value}.",
    it_gives="It gives {things}.",
    then_gives="With play for the most points after it, it gives {things}.",
    alike="By category and bonus they differ by less than {amount} points.",
    more="{amount} points more in {category}",
    less="{amount} points less in {category}",
    jokers_more="{amount} points more in Joker bonuses",
    jokers_less="{amount} points less in Joker bonuses",
    bonus_more="a better chance of the bonus ({first} against {other}, worth {amount} points)",
    bonus_less="a smaller chance of the bonus ({first} against {other}, worth {amount} points)",
    conjunction=" and ",
    but=", but ",
    outlook_of="Values are for {objective}; points by category, bonus and range are under play for the most points.",
    sampled="Points by category, bonus and range come from {games} games played on, so they are a little off.",
    headings=("category", "points", "chance", "this turn", "difference"),
    sums=("Bonus", "Joker bonuses", "Points so far", "Final score"),
    range="final score {mean} on average, {low} to {high} in the middle 80 %",
    question="Question {number} of {total}: {dice}, {rolls}",
    origin="{record}: {player}, turn {turn}",
    rules="Answer with the dice to keep, such as 33, or - to roll all of them, or with a category. q leaves, ? helps.",
    ask="Your move: ",
    right="{sign} {grade}: {move}",
    wrong="{sign} {grade}: {move} loses {loss}; best is {best}",
    tally="{answered} of {total} answered, mean loss {loss}: {counts}",
    nothing_answered="No question was answered.",
)

_SWEDISH = Phrases(
    decimal=",",
    grades=("bäst", "bra", "tveksamt", "misstag", "grovt misstag"),
    rolls_left=("inget kast kvar", "1 kast kvar", "{count} kast kvar"),
    keep="att behålla {dice}",
    keep_none="att slå om alla tärningar",
    keep_all="att behålla alla tärningar",
    score="att ta {category}",
    strike="att stryka {category}",
    units=("{amount} poäng", "{amount} procentenheter", "{amount}"),
    better=(
        "{first} är värt {difference} poäng mer än {other}: {value} mot {less}.",
        "{first} ger större chans än {other}: {value} mot {less}.",
        "{first} är värt mer än {other}: {value} mot {less}.",
    ),
    equal="{first} och {other} är lika bra: {value}.",
    it_gives="Det ger {things}.",
    then_gives="Spelar man sedan för flest poäng ger det {things}.",
    alike="I kategorier och bonus skiljer de mindre än {amount} poäng.",
    more="{amount} poäng mer i {category}",
    less="{amount} poäng mindre i {category}",
    jokers_more="{amount} poäng mer i jokerbonus",
    jokers_less="{amount} poäng mindre i jokerbonus",
    bonus_more="större chans till bonus ({first} mot {other}, värt {amount} poäng)",
    bonus_less="mindre chans till bonus ({first} mot {other}, värt {amount} poäng)",
    conjunction=" och ",
    but=", men ",
    outlook_of="Värdena gäller {objective}; poäng per kategori, bonus och spann gäller spel för flest poäng.",
    sampled="Poäng per kategori, bonus och spann kommer från {games} spelade partier och är inte helt exakta.",
    headings=("kategori", "poäng", "chans", "denna omgång", "skillnad"),
    sums=("Bonus", "Jokerbonus", "Poäng hittills", "Slutpoäng"),
    range="slutpoäng {mean} i snitt, {low} till {high} i de mittersta 80 %",
    question="Fråga {number} av {total}: {dice}, {rolls}",
    origin="{record}: {player}, omgång {turn}",
    rules="Svara med tärningarna att behålla, till exempel 33, eller - för att slå om alla, eller med en kategori. "
    "q slutar, ? hjälper.",
    ask="Ditt drag: ",
    right="{sign} {grade}: {move}",
    wrong="{sign} {grade}: {move} förlorar {loss}; bäst är {best}",
    tally="{answered} av {total} besvarade, i snitt {loss} förlorade: {counts}",
    nothing_answered="Ingen fråga besvarades.",
)

_GERMAN = Phrases(
    decimal=",",
    grades=("am besten", "gut", "ungenau", "Fehler", "grober Fehler"),
    rolls_left=("kein Wurf übrig", "1 Wurf übrig", "{count} Würfe übrig"),
    keep="{dice} zu behalten",
    keep_none="alle Würfel neu zu werfen",
    keep_all="alle Würfel zu behalten",
    score="{category} zu nehmen",
    strike="{category} zu streichen",
    units=("{amount} Punkte", "{amount} Prozentpunkte", "{amount}"),
    better=(
        "{first} ist {difference} Punkte mehr wert als {other}: {value} gegen {less}.",
        "{first} gibt eine größere Chance als {other}: {value} gegen {less}.",
        "{first} ist mehr wert als {other}: {value} gegen {less}.",
    ),
    equal="{first} und {other} sind gleich gut: {value}.",
    it_gives="Das bringt {things}.",
    then_gives="Spielt man danach auf die meisten Punkte, bringt das {things}.",
    alike="In Kategorien und Bonus unterscheiden sie sich um weniger als {amount} Punkte.",
    more="{amount} Punkte mehr bei {category}",
    less="{amount} Punkte weniger bei {category}",
    jokers_more="{amount} Punkte mehr an Joker-Boni",
    jokers_less="{amount} Punkte weniger an Joker-Boni",
    bonus_more="eine größere Chance auf den Bonus ({first} gegen {other}, {amount} Punkte wert)",
    bonus_less="eine kleinere Chance auf den Bonus ({first} gegen {other}, {amount} Punkte wert)",
    conjunction=" und ",
    but=", aber ",
    outlook_of="Die Werte gelten für {objective}; Punkte je Kategorie, Bonus und Spanne gelten beim Spiel auf Punkte.",
    sampled="Punkte je Kategorie, Bonus und Spanne stammen aus {games} gespielten Partien und sind nicht ganz genau.",
    headings=("Kategorie", "Punkte", "Chance", "diese Runde", "Unterschied"),
    sums=("Bonus", "Joker-Boni", "Punkte bisher", "Endstand"),
    range="Endstand im Mittel {mean}, {low} bis {high} in den mittleren 80 %",
    question="Frage {number} von {total}: {dice}, {rolls}",
    origin="{record}: {player}, Runde {turn}",
    rules="Antworte mit den Würfeln, die bleiben, etwa 33, mit - um alle neu zu werfen, oder mit einer Kategorie. "
    "q beendet, ? hilft.",
    ask="Dein Zug: ",
    right="{sign} {grade}: {move}",
    wrong="{sign} {grade}: {move} verliert {loss}; am besten ist {best}",
    tally="{answered} von {total} beantwortet, im Schnitt {loss} verloren: {counts}",
    nothing_answered="Keine Frage wurde beantwortet.",
)

PHRASES = {"en": _ENGLISH, "sv": _SWEDISH, "de": _GERMAN}
"""Of every language in which games have names."""
