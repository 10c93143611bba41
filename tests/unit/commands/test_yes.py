"""yes: goes on until its reader leaves."""

import pytest

from bashkit.errors import LimitExceededError
from bashkit.interp.runtime.control import SigPipe
from bashkit.limits import ExecutionLimits


def test_the_budget_ends_it(utility):
    with pytest.raises(LimitExceededError) as caught:
        utility("yes")
    assert caught.value.name == "max_output_bytes"


def test_line(utility):
    from bashkit import commands
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process, invoke
    from bashkit.limits import Budget

    class Reader(Stream):
        writable = True
        text = b""

        def write(self, data):
            Reader.text += data
            raise SigPipe

    process = Process(
        "yes", ["a", "b"], {1: Reader()}, {}, "/", 0o022, utility.fs, Budget(ExecutionLimits()), utility.system, utility.launcher
    )
    with pytest.raises(SigPipe):
        invoke(commands.find_command("yes"), process)
    assert set(Reader.text.splitlines()) == {b"a b"}
