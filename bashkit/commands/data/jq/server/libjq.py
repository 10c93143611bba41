"""Binds libjq's C functions with ctypes, and adds small compositions of them."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

INVALID, NULL, FALSE, TRUE, NUMBER, STRING = range(6)


class Jv(ctypes.Structure):
    """libjq's value, passed and returned by value; only libjq looks inside beyond the kind."""

    _fields_ = (
        ("kind", ctypes.c_ubyte),
        ("pad", ctypes.c_ubyte),
        ("offset", ctypes.c_ushort),
        ("size", ctypes.c_int),
        ("content", ctypes.c_uint64),
    )


_POINTER, _INT, _TEXT = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
MESSAGE_CALLBACK = ctypes.CFUNCTYPE(None, _POINTER, Jv)
OPEN_CALLBACK = ctypes.CFUNCTYPE(None, _POINTER, _TEXT)

_SIGNATURES: dict[str, tuple[object, tuple[object, ...]]] = {
    "jq_init": (_POINTER, ()),
    "jq_teardown": (None, (_POINTER,)),
    "jq_compile_args": (_INT, (_POINTER, _TEXT, Jv)),
    "jq_start": (None, (_POINTER, Jv, _INT)),
    "jq_next": (Jv, (_POINTER,)),
    "jq_halted": (_INT, (_POINTER,)),
    "jq_get_exit_code": (Jv, (_POINTER,)),
    "jq_get_error_message": (Jv, (_POINTER,)),
    "jq_format_error": (Jv, (Jv,)),
    "jq_set_attr": (None, (_POINTER, Jv, Jv)),
    "jq_set_colors": (_INT, (_TEXT,)),
    "jq_set_error_cb": (None, (_POINTER, MESSAGE_CALLBACK, _POINTER)),
    "jq_set_debug_cb": (None, (_POINTER, MESSAGE_CALLBACK, _POINTER)),
    "jq_set_stderr_cb": (None, (_POINTER, MESSAGE_CALLBACK, _POINTER)),
    "jq_set_input_cb": (None, (_POINTER, _POINTER, _POINTER)),
    "jq_util_input_init": (_POINTER, (OPEN_CALLBACK, _POINTER)),
    "jq_util_input_set_parser": (None, (_POINTER, _POINTER, _INT)),
    "jq_util_input_free": (None, (_POINTER,)),
    "jq_util_input_add_input": (None, (_POINTER, _TEXT)),
    "jq_util_input_next_input": (Jv, (_POINTER,)),
    "jq_util_input_get_position": (Jv, (_POINTER,)),
    "jv_parser_new": (_POINTER, (_INT,)),
    "jv_parser_free": (None, (_POINTER,)),
    "jv_parser_set_buf": (None, (_POINTER, _TEXT, _INT, _INT)),
    "jv_parser_next": (Jv, (_POINTER,)),
    "jv_parse_sized": (Jv, (_TEXT, _INT)),
    "jv_string_sized": (Jv, (_TEXT, _INT)),
    "jv_string_value": (_POINTER, (Jv,)),
    "jv_string_length_bytes": (_INT, (Jv,)),
    "jv_dump_string": (Jv, (Jv, _INT)),
    "jv_number_value": (ctypes.c_double, (Jv,)),
    "jv_array": (Jv, ()),
    "jv_array_append": (Jv, (Jv, Jv)),
    "jv_object": (Jv, ()),
    "jv_object_set": (Jv, (Jv, Jv, Jv)),
    "jv_null": (Jv, ()),
    "jv_copy": (Jv, (Jv,)),
    "jv_free": (None, (Jv,)),
    "jv_invalid_has_msg": (_INT, (Jv,)),
    "jv_invalid_get_msg": (Jv, (Jv,)),
}


class BadArgumentError(Exception):
    """The JSON text of a named argument is malformed."""


class Library:
    """The functions of libjq with their C signatures, and small compositions of them.

    Args:
        path: The shared object that exports them: the extension module of the ``jq`` wheel.

    Raises:
        AttributeError: A symbol is missing.
        OSError: The file cannot be loaded.

    Attributes:
        on_missing: Is called with the path of an input that cannot be opened.
    """

    def __init__(self, path: str) -> None:
        self.c = ctypes.CDLL(path)
        self.on_missing: Callable[[bytes], None] = lambda _: None
        # One for all requests: a confined process gets no memory for the code of another.
        self.missing = OPEN_CALLBACK(lambda _, path: self.on_missing(path))
        for name, (result, parameters) in _SIGNATURES.items():
            function = getattr(self.c, name)
            function.restype, function.argtypes = result, parameters
        self.next_input = ctypes.cast(self.c.jq_util_input_next_input_cb, _POINTER)
        self._c_string = self.c["jv_string_value"]  # the same function, with a result that is read up to its NUL
        self._c_string.restype, self._c_string.argtypes = _TEXT, (Jv,)

    def text(self, value: Jv) -> bytes:
        """The bytes of a string, which is consumed."""
        c = self.c
        content = ctypes.string_at(c.jv_string_value(value), c.jv_string_length_bytes(c.jv_copy(value)))
        c.jv_free(value)
        return content

    def dump(self, value: Jv, flags: int) -> bytes:
        """The JSON text of a value, which is consumed."""
        text = self.c.jv_dump_string(value, flags)
        content: bytes = self._c_string(text)  # JSON text contains no NUL
        self.c.jv_free(text)
        return content

    def string(self, data: bytes) -> Jv:
        """A string value."""
        value: Jv = self.c.jv_string_sized(data, len(data))
        return value

    def message(self, value: Jv) -> bytes | None:
        """The message inside an invalid value, which is consumed; None without a message."""
        c = self.c
        if not value.kind or not c.jv_invalid_has_msg(c.jv_copy(value)):
            c.jv_free(value)
            return None
        found = c.jv_invalid_get_msg(value)
        return self.text(found) if found.kind & 15 == STRING else self.dump(found, 0)

    def json(self, data: bytes) -> Jv:
        """The value of one JSON text.

        Raises:
            BadArgumentError: With libjq's words.
        """
        value: Jv = self.c.jv_parse_sized(data, len(data))
        if value.kind & 15 == INVALID:
            raise BadArgumentError((self.message(value) or b"").decode("utf-8", "surrogateescape"))
        return value

    def slurp(self, data: bytes) -> Jv:
        """An array of all JSON texts in ``data``.

        Raises:
            BadArgumentError: With libjq's words.
        """
        c = self.c
        parser = c.jv_parser_new(0)
        c.jv_parser_set_buf(parser, data, len(data), 0)
        values: Jv = c.jv_array()
        try:
            while (value := c.jv_parser_next(parser)).kind & 15 != INVALID:
                values = c.jv_array_append(values, value)
            message = self.message(value)
            if message is not None:
                raise BadArgumentError(message.decode("utf-8", "surrogateescape"))
        finally:
            c.jv_parser_free(parser)
        return values
