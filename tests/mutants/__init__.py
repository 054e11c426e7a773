"""Do the tests bite? Change one operator, comparison or constant, and see whether the room's own tests notice.

`make mutants` picks mutants at random from a seed and runs, for each, the tests of the room that it is in. A mutant is
killed when a test fails or takes too long, and survives when all pass. The quickest tests that call the changed
function are tried first. Everything happens in a copy of the tree. Results are kept in a file, so that the same command
goes on where it was ended.
"""
