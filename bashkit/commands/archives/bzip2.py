"""bzip2: compress files (bzip2(1))."""

from bashkit.commands.archives._packers import declare

main = declare("bzip2", "Compress or decompress FILEs in the bzip2 format.")
