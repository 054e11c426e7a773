"""Quizzes: where questions come from, how answers are graded, and how answers are stored."""
