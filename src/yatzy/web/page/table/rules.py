"""The rule of a category, with an example, shown by a tap on its name."""

from __future__ import annotations

from dataclasses import dataclass

from nicegui import ui

from yatzy.games import Game
from yatzy.games.examples import example_roll
from yatzy.report.games import pays_text
from yatzy.report.words import capital
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.dialogs import set_title, titled_dialog
from yatzy.web.page.parts.dice import face
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.reader import Reader


@dataclass(frozen=True, slots=True)
class Rule:
    """The view model of the rule of a category."""

    reader: Reader
    game: Game
    category: int
    """Its index."""


def rule_markup(model: Rule) -> Markup:
    """Render the rule: what the category pays, and a roll with its points."""
    language, category = model.reader.language, model.game.categories[model.category]
    said = [tag("p", capital(pays_text(category.pattern, language)) + ".", data_testid="rule-said")]
    roll = example_roll(model.game, model.category)
    if roll is not None:
        dice = [tag("span", face(value), class_="yz-small-die") for value in roll]
        points = category.pattern.score(roll)
        said.append(tag("div", *dice, class_="yz-small-dice", role="img", aria_label=" ".join(map(str, roll))))
        said.append(tag("p", model.reader.t("rule.example", points=points), class_="yz-strong",
                        data_testid="rule-example"))  # fmt: skip
    return join(*said)


class RuleDialog:
    """Shows the rule of one category."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        with titled_dialog("", "rule-dialog", "yz-rule-box") as self._dialog:
            self._said = Region("yz-rule-said")
            ui.button(context.t("close"), on_click=self._dialog.close).props("flat no-caps autofocus")

    def open(self, id: str) -> None:
        """Open the dialog for a category."""
        game = self._context.session.game
        place = game.category_index.get(id)
        if place is None:
            return  # of a game that was open before
        set_title(self._dialog, game.categories[place].name(self._context.language))
        self._said.show_model(Rule(self._context.reader, game, place), rule_markup)
        self._dialog.open()
