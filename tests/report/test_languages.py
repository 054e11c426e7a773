"""No sentence mixes languages: every text, and every report of a game, has words of its own language only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from helpers.command import yatzy
from helpers.made_up import made_up_regret, made_up_strength
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure as Drawn
from matplotlib.text import Text

from yatzy import PRESETS, Record, advise, evaluate, load_game, parse_strategy, review, simulate
from yatzy.cli.playing.screen import EXAMPLES, dice_lines, offers_line
from yatzy.cli.playing.words import HELP
from yatzy.coach.explain import explain
from yatzy.coach.grades import Grade
from yatzy.coach.play.tutor import Tutor
from yatzy.coach.quizzes.quiz import Question, QuestionSource, Quiz
from yatzy.coach.reviews.bulk import review_many
from yatzy.coach.reviews.statistics import all_statistics
from yatzy.coach.sampled_outlook import open_outlooks
from yatzy.coach.selected_moves import best_moves, select_moves
from yatzy.evaluation.distribution import Distribution
from yatzy.evaluation.perfect import perfect_chance
from yatzy.games import Chance, Game, Keep, Position
from yatzy.lab import (
    compare,
    compare_exactly,
    parse_duellist,
    play_all_orders,
    play_off,
    replay,
    table_exactly,
    table_of,
)
from yatzy.lab.figures import Series, draw_scores
from yatzy.lab.graphs import GraphWords, state_graph
from yatzy.lab.plots import FigureWords
from yatzy.lab.sample import SimulatedGames
from yatzy.lab.strength_figures import StrengthWords, draw_error_chances, draw_mean_errors
from yatzy.lab.studies import StudyResult, read_study
from yatzy.lab.studies.running import CellResult, PairResult, PlayersResult
from yatzy.matches.counting import count_match
from yatzy.matches.fixed_opponents import BestAnswer, FixedOpponents, fixed_player
from yatzy.model import count_game
from yatzy.names import Origin, strategy_examples
from yatzy.names.payoffs import payoff_for
from yatzy.report.advice import advice_table, outlook_blocks
from yatzy.report.counts import count_table, match_count_blocks
from yatzy.report.document import Bars, Block, Code, Figure, Heading, Items, Paragraph, Table, to_html, to_markdown
from yatzy.report.explanation import explanation_blocks
from yatzy.report.figures import figure_words, graph_words, strength_words
from yatzy.report.games import game_table, games_table, pays_text
from yatzy.report.graph import graph_blocks, graph_figure
from yatzy.report.lab import (
    best_chance_blocks,
    comparison_blocks,
    evaluation_blocks,
    players_blocks,
    replay_blocks,
    sample_blocks,
)
from yatzy.report.match import (
    play_off_blocks,
    response_blocks,
    response_line,
    search_lines,
    search_text,
    seat_orders_blocks,
)
from yatzy.report.perfect import perfect_lines
from yatzy.report.quiz import headline, opening, tally, verdict
from yatzy.report.regret import regret_blocks
from yatzy.report.review import review_blocks, worst_errors
from yatzy.report.selected_moves import selected_moves_blocks
from yatzy.report.selected_moves_figure import draw_selected_moves
from yatzy.report.sheet import sheet_table
from yatzy.report.splits import part_labels
from yatzy.report.statistics import statistics_blocks
from yatzy.report.stored import (
    added_blocks,
    endgames_text,
    exported_text,
    packed_blocks,
    removed_text,
    stored_tables,
    values_text,
)
from yatzy.report.strength import strength_blocks, strength_tables
from yatzy.report.study import study_blocks, study_tables
from yatzy.report.study_figures import study_pictures
from yatzy.report.texts import LANGUAGES, PARTS, read_texts, texts
from yatzy.report.values import chance_lines, solution_lines, value_lines
from yatzy.report.words import (
    best_instead,
    move_made,
    move_name,
    move_phrase,
    objective_label,
    objective_phrase,
    payoff_label,
    strategy_label,
    warning,
)
from yatzy.sharing import AddedTable, PackedTable
from yatzy.solver import Solver, solve
from yatzy.store import TableInfo, TableState

COMMON = {
    "en": {"the", "and", "of", "with", "are", "was", "were", "not", "this", "that", "which", "from", "keep", "turn"},
    "sv": {"och", "att", "är", "som", "inte", "för", "från", "det", "den", "med", "av", "på", "till", "omgång", "drag"},
    "de": {"und", "der", "das", "ist", "nicht", "mit", "von", "auf", "ein", "zu", "Runde", "Wurf", "Punkte"},
}
"""Words that only one of the languages has, but for those below."""
ALSO = {"en": set[str](), "sv": set[str](), "de": {"den", "was"}}
"""Common words of another language that this one has too."""
WORD = re.compile(r"[^\W\d_]{2,}")
RECORD = """game: two-yatzy
player: Zyx
date: 2026-11-01

1: 12 (1) 12 ones 1
2: 12 twos 2
"""


def words(said: str) -> set[str]:
    plain = re.sub(r"{\w*}|`[^`]*`", " ", said)
    return {word.casefold() for word in WORD.findall(plain)}


def vocabulary(language: str) -> set[str]:
    return {word for said in texts(language).values() for word in words(said)}


def foreign(language: str) -> set[str]:
    """The words of the other languages that this one does not have."""
    return set().union(*(vocabulary(other) for other in LANGUAGES if other != language)) - vocabulary(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_have_no_common_words_of_another_language(language: str) -> None:
    foreign = {word.casefold() for other in set(LANGUAGES) - {language} for word in COMMON[other]} - ALSO[language]
    for key, said in texts(language).items():
        assert not words(said) & foreign, key


SHARED = {
    "sv": words("bonus exp min emp dyns match yahtzee utf text just in per html markdown csv median enter under")
    | words("molinder gb gib yatzy pawlewicz minus joker hash mb precision"),
    "de": words("bonus chance joker in exp min emp dyns match optimal enter name median gb gib yatzy yahtzee")
    | words("pawlewicz matches quiz minus threads hash mb computer utf csv markdown html die moment rest")
    | words("simulation link browser"),
}
"""Words that English shares with a language."""
TYPED = {"new.own", "lab.own", "strength.written", "share.only_here"}
"""Texts with names of files, strategies and commands, which are typed in English everywhere."""


@pytest.mark.parametrize("language", SHARED)
def test_every_word_of_every_text_is_translated(language: str) -> None:
    for part in PARTS:
        english, ours = read_texts("en", part), read_texts(language, part)
        for key, said in ours.items():
            assert key in TYPED or words(said) & words(english[key]) <= SHARED[language], key


def strings(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Heading(text) | Paragraph(text) | Code(text):
                yield text
            case Items(lines):
                yield from lines
            case Bars(bars):
                yield from (name for name, _, _ in bars)
            case Figure(alt=alt):
                yield alt
            case Table():
                yield from (block.title, *block.head)
                for row in block.rows:
                    yield from (cell for column, cell in enumerate(row) if column not in block.code)


def reports(language: str) -> Iterator[str]:
    """All that is said about a game, in one language."""
    game = load_game("two-yatzy")
    solution, record = solve(game), Record.parse(RECORD)
    found = review(record, solution)
    yield from strings(review_blocks(found, language, positions=True))
    yield from (line for one in found.players for line in worst_errors(found, one, 9, language))
    many = review_many([("zyx", record)], solution)
    yield from strings(statistics_blocks(many, all_statistics(many), language, rounds=True))
    where = Position.start(game).roll((1, 2))
    advice, outlooks = advise(solution, where), open_outlooks(Solver(), game)
    yield from strings([advice_table([advice], None, language), sheet_table(where, language)])
    yield from strings(outlook_blocks(outlooks.at(where), language))
    yield from strings(explanation_blocks(explain(solution, outlooks, where), language))
    selected = select_moves(Solver().chances(game), outlooks, where, best_moves(advice))
    yield from strings(selected_moves_blocks(selected, language))
    yield from figure_strings(draw_selected_moves(selected, language))
    for entry in advice.moves:
        yield from (move_name(game, entry.move, language), move_made(game, entry.move, language))
        yield move_phrase(where, entry.move, language)
    warned = Tutor(solution, Grade.GOOD).warn(where, Keep((1,)))
    assert warned is not None
    yield from (warning(warned, language), best_instead(warned, language))
    yield from dice_lines(where, language, drawn=False)
    yield offers_line(where, language, 200)
    question = Question(advice, QuestionSource(1, seed=3))
    quiz = Quiz(solution, (question,))
    yield from (opening(quiz, language), headline(quiz, 1, question, language))
    answered = quiz.answered(Keep((1,)))
    yield from (verdict(question, answered.answers[0], language), tally(answered.summary, solution.unit, language))
    yield tally(quiz.summary, solution.unit, language)
    for target in (None, 5):
        graph = state_graph(game, target)
        yield from strings(graph_blocks(graph, language))
        yield from figure_strings(graph_figure(graph, language))
    yield from lab_reports(language)


def play_reports(language: str) -> Iterator[str]:
    """A game in the terminal with real dice, with everything that can be asked for and much that is refused."""
    lines = "?,roll,zz,7,123,9 9,12,,22,k 9,k 1 1,12,hint,why,sheet,roll,22,k 1,c 9,onse,nonsense,tutor inaccuracy,"
    lines += "twos,s,t,twos,p,tutor on,tutor 2,tutor loud,tutor off,save,undo,undo,undo,undo,redo,redo,redo,redo,12,"
    lines += "1,22,33,12,c 2,c 1"
    yield from _shown(["--dice", "typed", "--game", "two-yatzy", "--language", language], lines)
    yield from _shown(["--game", "two-yatzy", "--language", language, "--seed", "1"], "12,,all,twos,q")
    yield from _shown(["--saved", "--language", language], "")


def _shown(arguments: list[str], lines: str) -> list[str]:
    """What is shown when these lines are typed, without what was typed, commands and paths."""
    done = yatzy("play", *arguments, input=lines.replace(",", "\n") + "\n")
    assert done.returncode == 0, done.stderr
    plain = re.sub(r"/\S+|(?<=> ).*|'[^']*'|--dice \w+|yatzy [a-z]+", " ", done.stdout)
    return plain.splitlines()


def lab_reports(language: str) -> Iterator[str]:
    """All that is said about simulated games and exact distributions."""
    game = load_game("two-yatzy")
    strategy, where = parse_strategy("greedy", game), Position.start(game)
    sample, exactly = simulate(strategy, 40, seed=1), evaluate(strategy)
    yield from strings(sample_blocks(sample, [3], language))
    other = simulate(strategy, 40, seed=1, stream=1)
    for compared in (compare(sample, sample, paired=True), compare(sample, other, paired=False)):
        yield from strings(comparison_blocks(compared, compare_exactly(exactly.score, exactly.score), language))
    yield from strings(players_blocks(table_of([sample, other]), table_exactly([exactly.score] * 2), language))
    yield from strings(replay_blocks(game, "greedy", 1, 7, replay(strategy, 1, 7), language))
    yield from strings(evaluation_blocks(where, exactly, language))
    yield from strings(best_chance_blocks(where, 0, np.array([1.0, 0.5]), language))
    player = parse_duellist("greedy", game, Solver())
    yield from strings(play_off_blocks(play_off(player, player, 20, seed=1), language))
    for payoff in ("win", "3,1,0"):
        yield from strings(seat_orders_blocks(play_all_orders([player] * 3, 20, 1, payoff), payoff, language))
    best = BestAnswer(game, [fixed_player(strategy)], payoff_for("win", 2))
    paid = {"answer": 1.0, "expected": 0.5, "gain": 0.5}
    yield from strings(response_blocks(best, "win", paid, dict.fromkeys(paid, sample.mean), 40, 1, language))
    yield from value_reports(language)
    for objective in ("match:emp:0", "match:emp:4"):
        search = Solver().search(game, objective, origin=Origin.PERSON)
        yield search_text(search.answer(Position.start(game, 2).roll((1, 2))), language)
    for objective in ("match:emp:2", "match:emp:2:against-you", "match:dyns:1:against-you"):
        yield from search_lines(Solver().search(game, objective).answer(Position.start(game, 3)), language)
    yield response_line(FixedOpponents(game, [strategy]), Position.start(game, 2), 0.5, language)


def value_reports(language: str) -> Iterator[str]:
    """All that is said about values, the size of a game, its rules and the tables on disk."""
    game = load_game("two-yatzy")
    where, solution = Position.start(game), solve(game)
    yield from solution_lines(solution, 5.0, 6, language)
    yield next(iter(value_lines(solution, where, 5.0, language)))
    yield next(iter(chance_lines(where, 3, 0.5, language)))
    yield from perfect_lines(perfect_chance(game), 9, 1.0, language)
    yield from strings([count_table(game, asdict(count_game(game)), language)])
    yield from strings(match_count_blocks(count_match(game), 1000.0, language))
    joker = load_game("yahtzee")
    listed = games_table([game, joker], language)
    yield from (listed.title, *listed.head, *strings([game_table(game, language)]))
    yield from (pays_text(one.pattern, language) for id in PRESETS for one in load_game(id).categories)
    yield from game_table(joker, language).rows[-1][1:]
    info = TableInfo("x", game.id, "", "", Path("x"), 1, 1, 1, TableState.SOUND, datetime.now(UTC))
    yield from strings([stored_tables([info], Path(), language)])
    yield from (removed_text(files, Path(), language) for files in (0, 1, 2))
    yield endgames_text(game, 1, 1, 1.0, language)
    yield exported_text(Path("x"), game, "greedy", 1, 1.0, language)
    yield values_text(Path("x"), game, 1, 1, language)
    packed = PackedTable("x", 1, "", game.id, "", "x", "x", 1, 1, 1, 1, "", 1e-9, None)
    yield from strings(packed_blocks([packed], Path(), language))
    both = [AddedTable(packed, Path("x"), there) for there in (True, False)]
    yield from strings(added_blocks(both, Path(), language))
    for name in (*strategy_examples(), "softened:1:target:300", "file:x", "utility:x"):
        yield strategy_label(name, language)
    for name in (
        "expected",
        "target:3",
        "chance:0.5",
        "exp:0.1",
        "utility:x",
        "match:emp:1",
        "match:dyns:1",
        "match:auto",
    ):
        yield from (objective_phrase(name, language), objective_label(name, language))
    yield from (payoff_label(name, language) for name in ("match-points", "win"))


STUDY = """title = "Zyx"
games = ["yatzy"]
strategies = ["expected", "greedy"]
count = 60
at_least = [3]
split = [["bonus"], ["yatzy"], ["bonus", "yatzy"]]

[[players]]
name = "Xyz"
game = "yatzy"
strategies = ["expected", "random"]
"""


def made_up_games(game: Game, strategy: str, stream: int) -> SimulatedGames:
    points = np.random.default_rng(stream).integers(0, 20, (60, len(game.categories))).astype(np.int16)
    upper, bonus = points[:, :6].sum(1).astype(np.int32), points[:, 0] > 9
    total = (points.sum(1) + 50 * bonus).astype(np.int32)
    return SimulatedGames(game, strategy, 1, 0, stream, total, upper, bonus, np.zeros(60, np.int32), points)


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """The result of a study with made-up games, because to play them and to evaluate the strategies takes longer."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    study = read_study(folder / "study.toml")
    cells = tuple(
        CellResult(cell, made_up_games(cell.choice.game, cell.choice.label, stream), list(study.splits or ()), None)
        for stream, cell in enumerate(study.cells)
    )
    samples = [cell.games for cell in cells]
    exactly = compare_exactly(Distribution(samples[0].mass), Distribution(samples[1].mass))
    pairs = (PairResult(cells[0], cells[1], compare(samples[0], samples[1], paired=False), exactly),)
    scores = tuple(Distribution(sample.mass) for sample in samples)
    players = tuple(PlayersResult(one, table_of(samples), scores, table_exactly(scores)) for one in study.players)
    return StudyResult(study, folder, cells, pairs, players)


def figure_strings(figure: Drawn) -> Iterator[str]:
    yield from (found.get_text() for found in figure.findobj(Text))


def study_reports(result: StudyResult, language: str) -> Iterator[str]:
    """The reports and figures of a study, of a strength measurement and of a measurement of regret."""
    pictures = study_pictures(result, language)
    blocks = [*study_tables(result, language), *study_blocks(result, pictures, language)]
    yield from strings(block for block in blocks if not isinstance(block, Code))
    for picture in pictures:
        yield from figure_strings(picture.draw())
    position = Position.start(load_game("two-yatzy"), 2).roll((1, 2))
    strength = made_up_strength(position, {1: (0.1, 0.0), 2: (0.01, 0.2, 0.0), 9: (0.3,)})
    yield from strings(regret_blocks(made_up_regret(), language))
    words = strength_words(language)
    yield from strings([*strength_tables(strength, language), *strength_blocks(strength, language)])
    for figure in (draw_mean_errors(strength, words=words), draw_error_chances(strength, words=words)):
        yield from figure_strings(figure)


@pytest.mark.parametrize("language", LANGUAGES)
def test_studies_have_words_of_one_language(language: str, studied: StudyResult) -> None:
    game = load_game("yatzy")
    names = [game.id, game.name(language), *(category.name(language) for category in game.categories)]
    names += ["Zyx", "Xyz", "study.toml", "expected", "greedy", "random"]  # names in the file, as they are typed there
    allowed, wrong = {word for name in names for word in words(name)}, foreign(language)
    said = list(study_reports(studied, language))
    assert len(said) > 200
    for line in said:
        assert not (words(line) - allowed) & wrong, line


def test_patterns_describe_themselves_as_the_english_texts_do() -> None:
    found = {one.pattern for id in PRESETS for one in load_game(id).categories} | {Chance((1, 3)), Chance(minimum=20)}
    assert len(found) > 20
    for pattern in found:
        assert pays_text(pattern) == pattern.describe()


def test_english_figures_have_the_words_of_the_texts() -> None:
    game = load_game("yatzy")
    assert part_labels(game, ("bonus",)) == ["without the upper bonus", "with the upper bonus"]
    both = ["neither the upper bonus nor Yatzy", "the upper bonus only", "Yatzy only", "both"]
    assert part_labels(game, ("bonus", "yatzy")) == both
    assert graph_words("en") == GraphWords()
    assert figure_words("en") == FigureWords()
    assert strength_words("en") == StrengthWords()


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_at_axes_have_the_decimal_mark_of_the_language(language: str) -> None:
    figure = draw_scores(Series("Zyx", None, np.full(3, 1 / 3)), "Zyx", "Zyx", figure_words(language))
    axis = figure.axes[0].yaxis
    axis.set_ticks([0.5])
    figure.draw_without_rendering()
    assert [label.get_text() for label in axis.get_ticklabels()] == [f"0{texts(language)['number.decimal']}5"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_reports_have_words_of_one_language(language: str, tables: object) -> None:
    game = load_game("two-yatzy")
    names = [game.id, game.name(language), *(category.name(language) for category in game.categories)]
    names += ["Zyx", "match", "emp", *game.category_index]  # ids are typed
    allowed, wrong = {word for name in names for word in words(name)}, foreign(language)
    assert {"luck", "best", "keeping"} <= foreign("sv")
    said = list(reports(language))
    assert len(said) > 100
    for line in said:
        assert not (words(line) - allowed) & wrong, line


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_game_in_the_terminal_has_words_of_one_language(
    language: str, tables: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path))
    game, typed = load_game("two-yatzy"), " ".join(typed for typed, _ in HELP)
    names = [game.id, game.name(language), *(category.name(language) for category in game.categories)]
    names += ["expected", typed, *EXAMPLES.values(), *(grade.value for grade in Grade)]
    allowed, wrong = {word for name in names for word in words(name)}, foreign(language)
    said = list(play_reports(language))
    assert len(said) > 100
    for line in said:
        assert not (words(line) - allowed) & wrong, line


def test_reports_say_the_same_in_every_language(tables: object) -> None:
    """The other language is really spoken, and nothing is left out."""
    english, swedish, german = (list(reports(language)) for language in ("en", "sv", "de"))
    assert len(english) == len(swedish) == len(german)
    assert len(set(english) & set(swedish)) < len(english) / 2


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)


@settings(max_examples=50)
@given(NAMES)
def test_names_are_only_ever_text(name: str) -> None:
    blocks: list[Block] = [Heading(name), Paragraph(name), Table((name,), ((name,),), frozenset({0}), name)]
    page = to_html(blocks, name)
    assert page.count("<") == to_html([Heading("x"), Paragraph("x"), Table(("x",), (("x",),), frozenset({0}), "x")],
                                      "x").count("<")  # fmt: skip
    assert to_markdown(blocks).count("\n") == 9
