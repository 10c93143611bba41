"""The server of jq's worker process: drives libjq.

An answer is made of frames ``o`` (output), ``e`` (error output) and ``x`` (exit status in decimal). The rules of order,
status and wording are those of jq 1.8's command line (jq 1.8 manual, INVOKING JQ and EXIT STATUS).
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import resource
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bashkit.commands._workers.program.answers import Answer
    from bashkit.commands.data.jq.server.libjq import (
        FALSE,
        INVALID,
        MESSAGE_CALLBACK,
        NULL,
        NUMBER,
        STRING,
        BadArgumentError,
        Jv,
        Library,
    )
    from bashkit.commands.data.jq.server.reading import Output, Reading, reading
else:  # the folder is all that a worker can import from
    from libjq import FALSE, INVALID, MESSAGE_CALLBACK, NULL, NUMBER, STRING, BadArgumentError, Library
    from reading import Output, reading

_CACHED_PROGRAMS = 64
_CACHED_ARGUMENT_BYTES = 65536
_DEFAULT_COLORS = b"0;90:0;39:0;39:0;39:0;32:1;39:1;39:34;1"

_PRINT_PRETTY, _PRINT_ASCII = 1, 2
_OK, _OK_NULL, _ERROR_SYSTEM, _ERROR_COMPILE, _OK_NO_OUTPUT, _ERROR_UNKNOWN = 0, -1, 2, 3, -4, 5


class Server:
    """Answers requests one after another.

    Args:
        path: The shared object that exports libjq: the extension module of the ``jq`` wheel.
    """

    opens_files = True

    def __init__(self, path: str) -> None:
        self._library = library = Library(path)
        self._c = library.c
        self._programs: OrderedDict[object, int] = OrderedDict()
        self._colors = _DEFAULT_COLORS
        self._zone = ""
        self._answer: Output
        self._debug_flags = 0
        self._on_error = MESSAGE_CALLBACK(self._error)
        self._on_debug = MESSAGE_CALLBACK(self._debug)
        self._on_stderr = MESSAGE_CALLBACK(self._stderr)

    def answer(self, request: dict[str, Any], descriptor: int | None, answer: Answer) -> None:
        """Run the program of a request."""
        self._request(request, descriptor, Output(answer))

    def _request(self, request: dict[str, Any], descriptor: int | None, answer: Output) -> None:
        self._answer = answer
        inputs = reading(self._library, request, descriptor, answer)
        jq = None
        try:
            jq, kept = self._program(request, inputs)
            status = _ERROR_COMPILE if jq is None else self._run(jq, request, inputs, answer)
        except BadArgumentError as error:
            answer.error(str(error).encode("utf-8", "surrogateescape") + b"\n")
            status, kept = _ERROR_SYSTEM, False
        answer.exit(status)
        inputs.close()
        if jq is not None and not kept:
            self._teardown(jq)

    # -- compiling ---------------------------------------------------------------------------------------------------

    def _set_zone(self, zone: str) -> None:
        if zone != self._zone:
            self._zone = os.environ["TZ"] = zone
            time.tzset()

    def _program(self, request: dict[str, Any], inputs: Reading | None) -> tuple[int | None, bool]:
        """The compiled program, or None after its errors were reported, and whether the cache keeps it."""
        text: bytes = request["program"]
        prefix: str = request["prefix"]
        if inputs is not None and inputs.names and re.search(rb"\binput_filename\b", text):
            names = b"{" + b",".join(self._quote(key) + b":" + self._quote(name) for key, name in inputs.names.items()) + b"}"
            prefix += f"def _input_path: input_filename; def input_filename: {names.decode()} as $names | _input_path as $path "
            prefix += "| if $path == null then null else $names[$path] end; "
        arguments = request["arguments"]
        environment: dict[str, str] = request["environment"]
        key = (text, prefix, repr(arguments), repr(environment))
        jq = self._programs.get(key)
        if jq is not None:
            self._programs.move_to_end(key)
            return jq, True
        jq = self._compile(text, arguments, environment)
        if jq is not None and prefix:
            # The unwrapped text is compiled first, so that error positions are the script's own.
            self._teardown(jq)
            jq = self._compile(prefix.encode("utf-8", "surrogateescape") + text, arguments, environment)
        if jq is None or len(key[2]) > _CACHED_ARGUMENT_BYTES:
            return jq, False
        self._programs[key] = jq
        if len(self._programs) > _CACHED_PROGRAMS:
            self._teardown(self._programs.popitem(last=False)[1])
        return jq, True

    def _quote(self, text: str) -> bytes:
        return self._library.dump(self._library.string(text.encode("utf-8", "surrogateescape")), 0)

    def _compile(self, text: bytes, arguments: Any, environment: dict[str, str]) -> int | None:
        c, library = self._c, self._library
        values = self._arguments(arguments)
        jq: int = c.jq_init()
        c.jq_set_error_cb(jq, self._on_error, None)
        c.jq_set_debug_cb(jq, self._on_debug, None)
        c.jq_set_stderr_cb(jq, self._on_stderr, None)
        c.jq_set_attr(jq, library.string(b"JQ_LIBRARY_PATH"), c.jv_array())
        c.jq_set_attr(jq, library.string(b"JQ_ORIGIN"), library.string(b"/"))
        c.jq_set_attr(jq, library.string(b"PROGRAM_ORIGIN"), library.string(b"/"))
        # A module directive may name any path of the host; without file descriptors it can open none.
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        os.environ.clear()
        os.environ.update(environment)  # ``$ENV`` becomes a constant of the program here
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
        try:
            compiled = c.jq_compile_args(jq, text, values)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            os.environ.clear()
            self._zone = ""
        if compiled:
            return jq
        self._teardown(jq)
        return None

    def _arguments(self, arguments: Any) -> Jv:
        c, library = self._c, self._library
        makers = {"text": library.string, "json": library.json, "slurp": library.slurp}
        named = c.jv_object()
        for name, kind, data, complaint in arguments["named"]:
            try:
                value = makers[kind](data)
            except BadArgumentError as error:
                raise BadArgumentError(complaint.replace("%s", str(error))) from None
            named = c.jv_object_set(named, library.string(name.encode("utf-8", "surrogateescape")), value)
        positional = c.jv_array()
        for kind, data, complaint in arguments["positional"]:
            try:
                positional = c.jv_array_append(positional, makers[kind](data))
            except BadArgumentError:
                raise BadArgumentError(complaint) from None
        both = c.jv_object_set(c.jv_object(), library.string(b"positional"), positional)
        both = c.jv_object_set(both, library.string(b"named"), c.jv_copy(named))
        if all(name != "JQ_BUILD_CONFIGURATION" for name, *_ in arguments["named"]):
            configuration = library.string(arguments["configuration"].encode())
            named = c.jv_object_set(named, library.string(b"JQ_BUILD_CONFIGURATION"), configuration)
        values: Jv = c.jv_object_set(named, library.string(b"ARGS"), both)
        return values

    def _teardown(self, jq: int) -> None:
        self._c.jq_teardown(ctypes.byref(ctypes.c_void_p(jq)))

    # -- callbacks from libjq ----------------------------------------------------------------------------------------

    def _error(self, _: object, message: Jv) -> None:
        text = self._library.text(self._c.jq_format_error(message))
        if b"module not found" in text or os.strerror(errno.EMFILE).encode() in text:
            # libjq's own message would reveal whether the host has such a file.
            text = b"jq: error: modules are not supported"
        self._answer.error(text + b"\n")

    def _debug(self, _: object, message: Jv) -> None:
        c, library = self._c, self._library
        pair = c.jv_array_append(c.jv_array_append(c.jv_array(), library.string(b"DEBUG:")), message)
        self._answer.error(library.dump(pair, self._debug_flags) + b"\n")

    def _stderr(self, _: object, message: Jv) -> None:
        library = self._library
        self._answer.error(library.text(message) if message.kind & 15 == STRING else library.dump(message, 0))

    # -- running -----------------------------------------------------------------------------------------------------

    def _run(self, jq: int, request: dict[str, Any], inputs: Reading, answer: Output) -> int:
        """Run a program over the inputs and return the exit status."""
        c, library = self._c, self._library
        self._set_zone(request["zone"])
        c.jq_set_input_cb(jq, library.next_input if inputs.state else None, inputs.state)
        colors: bytes = request["colors"] or _DEFAULT_COLORS
        if colors != self._colors:
            self._colors = colors
            if not c.jq_set_colors(colors):
                answer.error(b"Failed to set $JQ_COLORS\n")
        self._debug_flags = request["flags"] & ~_PRINT_PRETTY
        if request["null_input"]:
            status, last = self._process(jq, c.jv_null(), request, inputs, answer), None
        else:
            status, last = self._over_inputs(jq, request, inputs, answer)
        if inputs.failed:
            status = _ERROR_SYSTEM
        if not request["exit_status"]:
            return max(status, 0) & 255
        if status == _OK_NO_OUTPUT and last is not None:
            status = last
        return abs(status) & 255

    def _over_inputs(self, jq: int, request: dict[str, Any], inputs: Reading, answer: Output) -> tuple[int, int | None]:
        """The status of the last input, and the last status of an output."""
        c, library = self._c, self._library
        status, last = _OK_NO_OUTPUT, None
        while not inputs.failed:
            if inputs.stream is not None and inputs.starving():
                answer.flush()
            value = inputs.next()
            if value.kind & 15 != INVALID:
                status = self._process(jq, value, request, inputs, answer)
                if status in {_OK, _OK_NULL}:
                    last = status
                if c.jq_halted(jq):
                    break
                continue
            message = library.message(value)
            if message is None:
                break
            if not request["seq"]:
                answer.error(b"jq: parse error: " + message + b"\n")
                return _ERROR_UNKNOWN, last
            answer.error(b"jq: ignoring parse error: " + message + b"\n")
        return status, last

    def _process(self, jq: int, value: Jv, request: dict[str, Any], inputs: Reading, answer: Output) -> int:
        """Run a program on one value."""
        c, library = self._c, self._library
        raw, flags = request["raw_output"], request["flags"]
        start: bytes = b"\x1e" if request["seq"] else b""
        end: bytes = request["terminator"]
        status = _OK_NO_OUTPUT
        c.jq_start(jq, value, 0)
        following, output, text, dump = c.jq_next, answer.output, library.text, library.dump
        while kind := (result := following(jq)).kind & 15:
            if raw and kind == STRING:
                if flags & _PRINT_ASCII:
                    data = library.dump(result, _PRINT_ASCII)
                else:
                    data = text(result)
                    if end == b"\0" and b"\0" in data:
                        answer.error(
                            b"jq: error (at %s): Cannot dump a string containing NUL with --raw-output0 option\n"
                            % inputs.position(jq)
                        )
                        return _ERROR_UNKNOWN
                output(data + end)
                status = _OK
            else:
                status = _OK_NULL if kind in {NULL, FALSE} else _OK
                output(start + dump(result, flags) + end)
            if request["unbuffered"]:
                answer.flush()
        if c.jq_halted(jq):
            c.jv_free(result)
            return self._halted(jq, answer)
        if result.kind and c.jv_invalid_has_msg(c.jv_copy(result)):  # all zero bits: invalid without a message
            self._uncaught(c.jv_invalid_get_msg(result), inputs.position(jq), answer)
            return _ERROR_UNKNOWN
        return status

    def _halted(self, jq: int, answer: Output) -> int:
        """The status of a program that called ``halt`` or ``halt_error``."""
        c, library = self._c, self._library
        code, message = c.jq_get_exit_code(jq), c.jq_get_error_message(jq)
        kind = message.kind & 15
        if kind == STRING:
            answer.error(library.text(message))
        elif kind not in {INVALID, NULL}:
            answer.error(library.dump(message, 0) + b"\n")
        if code.kind & 15 == INVALID:
            return _OK
        return int(c.jv_number_value(code)) if code.kind & 15 == NUMBER else _ERROR_UNKNOWN

    def _uncaught(self, message: Jv, position: bytes, answer: Output) -> None:
        library = self._library
        if message.kind & 15 == STRING:
            answer.error(b"jq: error (at %s): %s\n" % (position, library.text(message).split(b"\0", 1)[0]))
        else:
            answer.error(b"jq: error (at %s) (not a string): %s\n" % (position, library.dump(message, 0)))
