"""What is written to a file without a buffer is written as a whole."""

from bashkit.toolset.writing.saving import write_all


def test_a_write_that_takes_a_part_is_gone_on_with():
    class Slow(list):
        def write(self, data):
            self.append(data[:3])
            return len(data[:3])

    file = Slow()
    write_all(file, b"a result\n")
    assert b"".join(file) == b"a result\n"
