"""What an assignment to a special variable of awk does to the running program (gawk manual, Predefined Variables)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.patterns.awk.run.formats import parse_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.patterns.awk.run.runtime import Runtime

_LONG = 256  # characters from which the text of a number is counted


def _set_ofs(runtime: Runtime, text: str) -> None:
    if runtime.record.text is None:
        runtime.record.whole()
    runtime.record.ofs = text


def _set_ors(runtime: Runtime, text: str) -> None:
    runtime.ors = text


def _set_subsep(runtime: Runtime, text: str) -> None:
    runtime.subsep = text


def _converter(runtime: Runtime, text: str) -> Callable[[float], str] | None:
    if text == "%.6g":
        return None

    def convert(value: float) -> str:
        made = parse_format(text).apply([value], str, runtime.budget)
        return runtime.grown(made) if len(made) > _LONG else made

    return convert


def _set_convfmt(runtime: Runtime, text: str) -> None:
    runtime.texts.set_format(_converter(runtime, text))


def _set_ofmt(runtime: Runtime, text: str) -> None:
    runtime.printed.set_format(_converter(runtime, text))


def _set_fieldwidths(runtime: Runtime, text: str) -> None:
    runtime.record.set_widths(text)
    runtime.procinfo["FS"] = "FIELDWIDTHS"


def _set_fpat(runtime: Runtime, text: str) -> None:
    runtime.record.set_pattern(text, ignore_case=runtime.ignore_case)
    runtime.procinfo["FS"] = "FPAT"


EFFECTS: dict[str, Callable[[Runtime, str], None]] = {
    "FS": lambda runtime, _: runtime.set_fs(),
    "OFS": _set_ofs,
    "ORS": _set_ors,
    "RS": lambda runtime, text: runtime.set_rs(text),
    "SUBSEP": _set_subsep,
    "CONVFMT": _set_convfmt,
    "OFMT": _set_ofmt,
    "FIELDWIDTHS": _set_fieldwidths,
    "FPAT": _set_fpat,
    "IGNORECASE": lambda runtime, text: runtime.set_ignore_case(text),
}
