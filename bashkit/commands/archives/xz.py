"""xz: compress files (xz(1))."""

from bashkit.commands.archives._packers import declare

main = declare("xz", "Compress or decompress FILEs in the .xz format.")
