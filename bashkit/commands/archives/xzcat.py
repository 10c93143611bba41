"""xzcat: decompress files to standard output (xz(1))."""

from bashkit.commands.archives._packers import declare

main = declare("xzcat", "xz", "Decompress FILEs in the .xz format to standard output.", expanding=True, to_stdout=True)
