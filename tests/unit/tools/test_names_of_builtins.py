from bashkit.builtins import NAMES, declarations


def test_the_names_of_the_builtins_are_those_that_are_declared():
    assert frozenset(declarations()) == NAMES
