"""lzma: compress files in the format that was before .xz (xz(1))."""

from bashkit.commands.archives._packers import declare

main = declare("lzma", "Compress or decompress FILEs in the .lzma format.")
