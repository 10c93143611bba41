"""bunzip2: decompress files (bzip2(1))."""

from bashkit.commands.archives._packers import declare

main = declare("bunzip2", "bzip2", "Decompress FILEs in the bzip2 format.", expanding=True)
