"""unxz: decompress files (xz(1))."""

from bashkit.commands.archives._packers import declare

main = declare("unxz", "xz", "Decompress FILEs in the .xz format.", expanding=True)
