"""The codes of ``dd conv=ascii``, ``ebcdic`` and ``ibm`` (POSIX XCU dd, ASCII to EBCDIC conversion)."""

from __future__ import annotations

_ALL = bytes(range(256))
_EBCDIC = bytes.fromhex(
    """
    00010203372d2e2f1605250b0c0d0e0f101112133c3d322618193f271c1d1e1f
    405a7f7b5b6c507d4d5d5c4e6b604b61f0f1f2f3f4f5f6f7f8f97a5e4c7e6e6f
    7cc1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e9ade0bd9a6d
    79818283848586878889919293949596979899a2a3a4a5a6a7a8a9c04fd05f07
    202122232415061728292a2b2c090a1b30311a333435360838393a3b04143ee1
    4142434445464748495152535455565758596263646566676869707172737475
    767778808a8b8c8d8e8f906a9b9c9d9e9fa0aaabac4aaeafb0b1b2b3b4b5b6b7
    b8b9babbbca1bebfcacbcccdcecfdadbdcdddedfeaebecedeeeffafbfcfdfeff
    """
)
_IBM = bytes.maketrans(b"\x5e\x7e\xcb\xd5\xe5", b"\x5f\xa1\x9a\xad\xbd")  # where that code is another one

CODES = {  # what each byte becomes
    "ascii": bytes.maketrans(_EBCDIC, _ALL),
    "ebcdic": _EBCDIC,
    "ibm": bytes(code if code != byte else standard for byte, code, standard in zip(_ALL, _IBM, _EBCDIC, strict=True)),
}
