"""bzcat: decompress files to standard output (bzip2(1))."""

from bashkit.commands.archives._packers import declare

main = declare("bzcat", "bzip2", "Decompress FILEs in the bzip2 format to standard output.", expanding=True, to_stdout=True)
