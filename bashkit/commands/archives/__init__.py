"""Compressed files and archives."""

from bashkit.commands._variants import Variant

VARIANTS = {
    "bunzip2": Variant("bzip2", "-d", "Decompress FILEs in the bzip2 format."),
    "bzcat": Variant("bzip2", "-dc", "Decompress FILEs in the bzip2 format to standard output."),
    "gunzip": Variant("gzip", "-d", "Uncompress FILEs (by default, in-place).", speaks_as="gzip"),
    "uncompress": Variant("gzip", "-d", "Uncompress FILEs of compress(1) and gzip (by default, in-place).", speaks_as="gzip"),
    "lzcat": Variant("lzma", "-dc", "Decompress FILEs in the .lzma format to standard output."),
    "unlzma": Variant("lzma", "-d", "Decompress FILEs in the .lzma format."),
    "unxz": Variant("xz", "-d", "Decompress FILEs in the .xz format."),
    "xzcat": Variant("xz", "-dc", "Decompress FILEs in the .xz format to standard output."),
    "unzstd": Variant("zstd", "-d", "Decompress FILEs in the .zst format.", speaks_as="zstd"),
    "zstdcat": Variant("zstd", "-dcf", "Decompress FILEs in the .zst format to standard output.", speaks_as="zstd"),
    "zipinfo": Variant("unzip", "-Z", "List detailed information about a ZIP archive."),
    "zcat": Variant("gzip", "-dc", "Uncompress FILEs to standard output.", speaks_as="gzip"),
}
