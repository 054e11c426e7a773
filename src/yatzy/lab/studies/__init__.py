"""Studies from a file: what to play and compare, resumable runs, and the report."""

from yatzy.lab.studies.reading import Study, read_study
from yatzy.lab.studies.running import StudyResult, run_study

__all__ = ["Study", "StudyResult", "read_study", "run_study"]
