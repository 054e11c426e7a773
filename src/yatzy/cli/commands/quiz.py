"""Choose a move, then see what it loses, which move is best and why. Answers are saved."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import completion, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, ObjectiveOption, Tables
from yatzy.cli.playing.refusals import said as worded
from yatzy.cli.playing.words import read_choice
from yatzy.cli.streams import ask
from yatzy.coach.advice import RankedMove
from yatzy.coach.explain import explain
from yatzy.coach.grades import Grade
from yatzy.coach.quizzes import sources
from yatzy.coach.quizzes.quiz import MOST_QUESTIONS, Question, Quiz
from yatzy.coach.quizzes.results import QuizKeeper, read_results, results_path
from yatzy.coach.reviews.files import read_records, record_paths
from yatzy.coach.sampled_outlook import open_outlooks
from yatzy.errors import InputError, Message
from yatzy.evaluation.outlook import OutlookSource
from yatzy.games import Game, Move, Record, load_game
from yatzy.names import Origin
from yatzy.report.answers.quizzes import history_answer, quiz_answer
from yatzy.report.explanation import reason_sentence, value_sentence
from yatzy.report.quiz import headline, history_blocks, opening, tally, verdict
from yatzy.report.sheet import sheet_table
from yatzy.report.terminal import print_blocks, print_line
from yatzy.report.texts import text
from yatzy.report.words import grade_colour
from yatzy.solver import Solver
from yatzy.values.evaluator import Evaluator

QUESTIONS = 10


def command(
    game: Annotated[
        str | None,
        typer.Option("--game", autocompletion=completion.games, help="A preset or a .toml file (default: yatzy)."),
    ] = None,
    questions: Annotated[
        int | None,
        typer.Option("--questions", min=1, max=200, help="Number of questions (default: 10, or all mistakes)."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, max=2**64 - 1, help="Seed: the same seed gives the same questions (default: random)."
        ),
    ] = None,
    source: Annotated[
        list[Path] | None, typer.Option("--from", metavar="FILE", help="Ask about this record; may be repeated.")
    ] = None,
    mistakes: Annotated[
        list[Path] | None,
        typer.Option(
            "--mistakes",
            metavar="FILE",
            help="Ask about the mistakes of --player in a record, the most expensive first; may be repeated.",
        ),
    ] = None,
    player: Annotated[
        str | None, typer.Option("--player", help="The player in the record whose decisions to ask about.")
    ] = None,
    objective: ObjectiveOption = "expected",
    answers: Annotated[
        str | None, typer.Option("--answers", help="Answers to all questions, separated by commas: 33,chance,-,…")
    ] = None,
    results: Annotated[bool, typer.Option("--results", help="Show the results of earlier quizzes.")] = False,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    if results:
        _print_results(language, json)
        return
    if json and answers is None:
        raise InputError("--json needs --answers or --results")
    if source and mistakes:
        raise InputError("give either --from or --mistakes, not both")
    if player is not None and not source and not mistakes:
        raise InputError("--player needs --from or --mistakes")
    with open_solver(tables) as solver:
        asked = _questions(solver, game, questions, seed, source or [], mistakes or [], player, objective)
        given = None if answers is None else _read_answers(asked, answers)
        outlooks = open_outlooks(solver, asked.evaluator.game) if given is None else None
    if given is not None:
        _answer_all(asked, given, language, json)
    elif outlooks is not None:
        _Interview(asked, outlooks, language).run()


def _questions(
    solver: Solver,
    game: str | None,
    questions: int | None,
    seed: int | None,
    files: list[Path],
    mistakes: list[Path],
    player: str | None,
    objective: str,
) -> Quiz:
    seed = _new_seed() if seed is None else seed
    own = None if game is None else load_game(game)
    if mistakes:
        records = _read_records(mistakes, own)
        judge = _judge(solver, records, objective)
        name = player if player is not None else _only_player([record for _, record in records])
        found = sources.costliest_mistakes(judge, records, name)
        if not found:
            where = ", ".join(map(str, mistakes))
            raise InputError(
                "{path}: {name} made no inaccuracy, mistake or blunder there; well played", path=where, name=name
            )
        return Quiz(judge, found[: questions or MOST_QUESTIONS])
    if files:
        records = _read_records(files, own)
        judge = _judge(solver, records, objective)
        return Quiz(judge, sources.record_questions(judge, records, questions or QUESTIONS, seed, player))
    return sources.generated_quiz(
        solver, own or load_game("yatzy"), objective, questions or QUESTIONS, seed, Origin.PERSON
    )


def _read_records(files: list[Path], own: Game | None) -> list[tuple[str, Record]]:
    records = list(read_records(record_paths(files), own))
    if not records:
        raise InputError("{path}: there is no game in it", path=files[0])
    if own is not None and records[0][1].game != own:
        raise InputError(
            "{name}: a game of {game}, but --game is {own}",
            name=records[0][0],
            game=records[0][1].game.id,
            own=own.id,
        )
    return records


def _judge(solver: Solver, records: list[tuple[str, Record]], objective: str) -> Evaluator:
    fewest = min(len(record.players) for _, record in records)
    return solver.evaluator(records[0][1].game, objective, fewest, origin=Origin.PERSON)


def _new_seed() -> int:
    return secrets.randbelow(10**6)


def _only_player(records: list[Record]) -> str:
    names = list({player.name.casefold(): player.name for record in records for player in record.players}.values())
    if len(names) > 1:
        raise InputError("whose mistakes? give --player with one of {names}", names=", ".join(names))
    return names[0]


def _read_answers(asked: Quiz, text: str) -> list[str]:
    given = [part.strip() for part in text.split(",")]
    if "" in given:
        raise InputError("--answers: an answer is empty; write - to keep no dice")
    if len(given) > len(asked.questions):
        raise InputError(
            "--answers: {count} answers, but there are {questions} questions",
            count=len(given),
            questions=len(asked.questions),
        )
    answered = asked
    for number, answer in enumerate(given, 1):  # all answers are parsed before the first is stored
        try:
            answered = answered.answered(asked.evaluator.game.parse_move(answer))
        except InputError as error:
            raise InputError("--answers: question {number}: {error}", number=number, error=error) from None
    return given


def _answer_all(asked: Quiz, given: list[str], language: str, json: bool) -> None:
    keeper = QuizKeeper(asked)
    for answer in given:
        question, asked = _answer(asked, keeper, asked.evaluator.game.parse_move(answer))
        if not json:
            print_line(headline(asked, len(asked.answers), question, language))
            _print_verdict(question, asked.answers[-1], language)
    if json:
        terminal.print_json(quiz_answer(asked))
        return
    print_line(tally(asked.summary, asked.evaluator.unit, language))


def _print_verdict(question: Question, answer: RankedMove, language: str) -> None:
    print_line(verdict(question, answer, language), grade_colour(answer.grade))


def _answer(asked: Quiz, keeper: QuizKeeper, move: Move) -> tuple[Question, Quiz]:
    """Answer the current question and store the answer; return the question and the quiz after it."""
    question = asked.question
    assert question is not None
    after = asked.answered(move)
    keeper.keep(len(after.answers), question, after.answers[-1])
    return question, after


class _Interview:
    """A quiz in the terminal. Answers are stored at once, so the person can leave at any time."""

    def __init__(self, asked: Quiz, outlooks: OutlookSource, language: str) -> None:
        self._quiz, self._outlooks, self._language = asked, outlooks, language
        self._keeper = QuizKeeper(asked)

    def run(self) -> None:
        """Ask until the last question, or until the person leaves."""
        print_line(opening(self._quiz, self._language))
        print_line(text(self._language, "quiz_said.rules"))
        try:
            while (question := self._quiz.question) is not None and self._ask(question):
                pass
        except (EOFError, KeyboardInterrupt):
            print()
        print_line(tally(self._quiz.summary, self._quiz.evaluator.unit, self._language))

    def _ask(self, question: Question) -> bool:
        """Ask one question until it is answered; False when the person leaves."""
        print()
        print_line(headline(self._quiz, len(self._quiz.answers) + 1, question, self._language))
        print_blocks([sheet_table(question.position, self._language)])
        while True:
            said = ask(text(self._language, "quiz_said.ask")).strip()
            if said in ("q", "quit"):
                return False
            if said in ("", "?"):
                print_line(text(self._language, "quiz_said.rules"))
                continue
            try:
                move = read_choice(said, question.position)
            except InputError as error:
                print_line(worded(error, self._language))
                continue
            question, self._quiz = _answer(self._quiz, self._keeper, move)
            self._judge(question)
            return True

    def _judge(self, question: Question) -> None:
        answer = self._quiz.answers[-1]
        _print_verdict(question, answer, self._language)
        best = question.advice.best.move
        move = None if answer.move == best else answer.move
        why = explain(self._quiz.evaluator, self._outlooks, question.position, move, best)
        if answer.grade is Grade.BEST:
            print_line(value_sentence(why, self._language))
        if not why.tied:
            print_line(reason_sentence(why, self._language))


def _print_results(language: str, json: bool) -> None:
    history = read_results()
    if json:
        terminal.print_json(history_answer(history))
        return
    print_blocks(history_blocks(history, language))
    if history.unreadable:
        terminal.note(
            Message(
                "note: {lines} lines of {path} are damaged and were skipped;"
                " answers restored from the backup: {restored}",
                lines=history.unreadable,
                path=results_path(),
                restored=history.restored,
            )
        )
