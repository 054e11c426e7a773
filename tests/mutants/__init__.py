"""Do the tests bite? Change one operator, comparison or constant, and see whether the room's own tests notice.

`make mutants` picks mutants at random from a seed and runs, for each, the tests of its room that execute the changed
statement, the quickest first. A mutant is killed when a test fails or takes too long, and survives when all pass.

The tests of a room run once under coverage.py, which shows what each of them executes. A test that reads what another
test computed or cached is not seen to execute it, so a few mutants survive that the whole room would kill; `--whole`
tries all tests of the room. Everything happens in copies of the tree, where a server with the libraries imported forks
a process for every mutant. Results are kept in a file, so that the same command goes on where it was ended.

`equivalent.toml` lists the survivors that no test can kill, and why.
"""
