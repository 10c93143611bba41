"""Compiles a whole awk program to one Python function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands.patterns.awk.compile.fixed import Columns, has_field, leaves_records_alone, looks_at_record, surely_cut
from bashkit.commands.patterns.awk.compile.generate import Generator
from bashkit.commands.patterns.awk.compile.scope import ARRAY
from bashkit.commands.patterns.awk.syntax.tree import Block, Compare, Function, Match, Number, Print, Program, Rule, Simple

if TYPE_CHECKING:
    from bashkit.commands.patterns.awk.compile.inference import Types
    from bashkit.commands.patterns.awk.compile.scope import Scope

_VARIABLE = re.compile(r"\b[a-z]\d*\b")
_WORD = re.compile(r"[A-Za-z]++")
_SHORTHANDS = {  # local variables of a program for what it uses often
    "R": "rt.record",
    "S": "rt.to_text",
    "O": "rt.to_output",
    "T": "rt.texts",
    "P": "rt.printed",
    "C": "rt.compare",
    "G": "rt.grown",
    "NT": "rt.numbers",
    "L": "rt.looks",
    "VF": "rt.outside",
    "W": "rt.standard.pending.append",
    "lib": "rt.library",
    "more": "rt.more",
    "budget": "rt.budget",
    "turns": "0",
}


class ProgramGenerator(Generator):
    """Writes the Python code of a program."""

    def __init__(self, scope: Scope, types: Types, outside: frozenset[str]) -> None:
        super().__init__(scope, types, outside)
        self._ranges = 0

    def program(self, program: Program) -> None:
        """Compile the function ``program(rt)``."""
        self._indent = 1
        with self._apart() as body:
            self._functions(program)
            self._hooks(program)
            self._assign_hook()
            self._main(program)
        self._indent = 0
        self.write("def program(rt):")
        self._indent = 1
        used = set(_WORD.findall("\n".join([*(text for _, text, _ in body), *self.constants.values()])))
        self.write("; ".join(f"{name} = {meaning}" for name, meaning in _SHORTHANDS.items() if name in used) or "pass")
        for name in self.scope.globals:
            if self.scope.kind(None, name) == ARRAY:
                self.write(f"v_{name} = Array()")
            else:
                self.write(f"v_{name} = " + (f"rt.initial({name!r})" if name in self._outside else "UNINIT"))
        for name, made in self.constants.items():
            self.write(f"{name} = {made}")
        self.lines.extend(body)
        self._indent = 1
        self.write("return rt.status")

    def _functions(self, program: Program) -> None:
        for function in program.functions.values():
            self._function(function)
        if program.functions:
            named = ", ".join(f"{name!r}: f_{name}" for name in program.functions)
            self.write(f"lib.functions = {{{named}}}")

    def _function(self, function: Function) -> None:
        self.function, self.line = function, function.line
        self.nonlocals = set()
        arrays = [name for name in function.parameters if self.scope.kind(function, name) == ARRAY]
        parameters = [f"v_{name}=" + ("None" if name in arrays else "UNINIT") for name in function.parameters]
        self.write(f"def f_{function.name}({', '.join(parameters)}):")
        with self._indented():
            with self._apart() as body:
                self._block(function.body)
                self.write("rt.depth -= 1")
                self.write("return UNINIT")
            if self.nonlocals:
                self.write("nonlocal " + ", ".join(f"v_{name}" for name in sorted(self.nonlocals)))
            self.write("rt.enter(); turns = 64")
            for name in arrays:
                self.write(
                    f"v_{name} = array_given(v_{name}, {name!r})"
                    if self.scope.indirect
                    else f"if v_{name} is None: v_{name} = Array()"
                )
            self.lines.extend(body)
        self.function = None

    def _hooks(self, program: Program) -> None:
        """Compile BEGINFILE and ENDFILE to functions that the input calls."""
        for kind, attribute in (("BEGINFILE", "begin_file"), ("ENDFILE", "end_file")):
            rules = [rule for rule in program.rules if rule.kind == kind]
            if not rules:
                continue
            # Compile as a function without parameters, so that assignments are to the program's variables.
            self.function = Function(f"@{attribute}", (), Block(()), rules[0].line)
            self.nonlocals = set()
            self._context = kind
            self.write(f"def {attribute}():")
            with self._indented():
                with self._apart() as body:
                    for rule in rules:
                        self._block(rule.action or Block(()))
                if self.nonlocals:
                    self.write("nonlocal " + ", ".join(f"v_{name}" for name in sorted(self.nonlocals)))
                self.write("turns = 64")
                self.lines.extend(body)
                self.write("return False")
            self.write(f"rt.input.{attribute} = {attribute}")
            self.function = None

    def _assign_hook(self) -> None:
        """Compile the function that assigns a variable for an operand."""
        names = [name for name in self.scope.globals if name in self._outside and self.scope.kind(None, name) != ARRAY]
        if not names:
            return
        self.write("def assign(name, value):")
        with self._indented():
            self.write("nonlocal " + ", ".join(f"v_{name}" for name in names))
            for name in names:
                self.write(f"if name == {name!r}: v_{name} = value")
        self.write("rt.assign_hook = assign")

    def _main(self, program: Program) -> None:
        record_rules = [rule for rule in program.rules if rule.kind == "record"]
        ends = [rule for rule in program.rules if rule.kind == "END"]
        files = any(rule.kind in ("BEGINFILE", "ENDFILE") for rule in program.rules)
        self.line = 0
        if {"RT"} & (self.scope.used | self.scope.assigned):
            self.write("rt.input.exact = True")
        for number in range(sum(rule.until is not None for rule in record_rules)):
            self.write(f"range{number} = False")
        self.write("try:")
        with self._indented():
            for rule in program.rules:
                if rule.kind == "BEGIN":
                    self._apart_from_records(rule)
            if record_rules and leaves_records_alone(program, self.scope):
                self._fixed_records(record_rules, seen=any(looks_at_record(rule.action) for rule in ends))
            elif record_rules or ends or files:
                self._records(record_rules)
        self.write("except ExitProgram: rt.depth = 0")
        if ends:
            self.write("try:")
            with self._indented():
                for rule in ends:
                    self._apart_from_records(rule)
            self.write("except ExitProgram: pass")

    def _apart_from_records(self, rule: Rule) -> None:
        """Compile a rule in which there is no record to leave; a function that it calls may try to."""
        if not {"next", "nextfile"} & self.scope.jumps:
            self._action(rule)
            return
        self.write("try:")
        with self._indented():
            self.write("pass")
            self._action(rule)
        refusal = f"' cannot be called from a `{rule.kind}' rule"
        self.write(f"except NextRecord as jump: fatal('`' + jump.word + {refusal!r})")

    def _records(self, rules: list[Rule]) -> None:
        counts = {"NR", "FNR"} & (self.scope.used | self.scope.assigned)
        self.write("rt.input.counted = " + str(not counts))
        self.write("most, pad = R.most, R.pad")
        self.write("while (batch := rt.batch()) is not None:")
        with self._indented():
            if not rules and not counts:
                self.write("for R.text in batch: pass")
                self.write("R.fields = None")
                return
            self.write("for R.text in batch:")
            with self._indented():
                early = bool(rules) and self._splits_at_once(rules[0])
                self.write("R.fields = R.text.split(None, most) + pad if R.quick else R.split()" if early else "R.fields = None")
                if counts:
                    self.write("R.number += 1; R.file_number += 1")
                self._raises_next = False
                self._indent += 1
                with self._apart() as body:
                    for rule in rules:
                        self._action(rule)
                self._indent -= 1
                if self._raises_next or {"next", "nextfile"} & self.scope.jumps:
                    self.write("try:")
                    self.lines.extend(body or [(self._indent + 1, "pass", 0)])
                    self.write("except NextRecord: rt.depth = 0")
                else:
                    self.lines.extend((indent - 1, text, line) for indent, text, line in body)

    def _fixed_records(self, rules: list[Rule], *, seen: bool) -> None:
        """Compile a loop over records that no rule changes; records and fields are local variables.

        Args:
            rules: The rules for each record.
            seen: Whether the last record is read after the loop.
        """
        counts = bool({"NR", "FNR"} & self.scope.used)
        counted = self.scope.any_field or "NF" in self.scope.used
        columns = self.columns = Columns(cut=counted or any(map(surely_cut, rules)), apart=not counted)
        self._raises_next = False
        self._indent += 4
        with self._apart() as body:
            for rule in rules:
                self._action(rule)
        self._indent -= 4
        self.columns, self.line = None, 0
        used = {name for _, text, _ in body for name in _VARIABLE.findall(text)}
        # If only columns are read, the input need not be split into records.
        whole = columns.cut and columns.apart and not seen and "t" not in used
        # The iterator of the input comes first, so that it knows how far the loop is.
        loop = {"t": "batch"}
        self.write(f"rt.input.counted = {not counts}")
        self.write("pad = R.pad")
        self.write(f"while (batch := rt.batch(whole={whole})) is not None:")
        with self._indented():
            if not whole:
                self.write("t = R.text")
            if counted:
                self.write("rows = R.rows(rt.input.records)")
                self.write("counts = [len(f) for f in rows]")
                self.write("for f in rows: f += pad")
                loop.update(f="rows", nf="counts")
                for index in columns.used:
                    self.write(f"c{index} = [f[{index}] for f in rows]")
            elif columns.cut:
                wanted = tuple(columns.used)
                self.write("".join(f"c{index}, " for index in wanted) + f"= R.columns(rt.input.records, rt.input.size, {wanted})")
            else:
                self.write("cut = R.cutter()")
            if counts:
                self.write("nr = start = int(R.number); before = start - int(R.file_number)")
                loop["nr"] = "range(start + 1, start + 1 + rt.input.size)"
            loop.update((name, made) for name, made in columns.wanted.items() if name in used)
            self.write("try:")
            with self._indented():
                self.write(f"for {', '.join(loop)} in {'zip(' + ', '.join(loop.values()) + ')' if len(loop) > 1 else 'batch'}:")
                with self._indented():
                    if not columns.cut:
                        self.write("f = None")
                    if self._raises_next:
                        self.write("try:")
                        self.lines.extend(body)
                        self.write("except NextRecord: pass")
                    else:
                        self.lines.extend((indent - 1, text, line) for indent, text, line in body)
            self.write("finally:")
            with self._indented():
                self.write("pass" if whole else "R.text, R.fields = t, None")
                if counts:
                    self.write("R.number, R.file_number = nr, nr - before")

    def _splits_at_once(self, rule: Rule) -> bool:
        """Whether every record is split without a call; then NF is not read."""
        if self.scope.most < 0:
            return False
        first: object = rule.pattern
        if first is None and rule.action is not None and rule.action.body:
            first = rule.action.body[0]
        return isinstance(first, (Simple, Print, Compare, Match)) and has_field(first)

    def _action(self, rule: Rule) -> None:
        self.line = rule.line
        self._context = rule.kind
        if rule.until is not None:
            name = f"range{self._ranges}"
            self._ranges += 1
            self.write(f"if {name} or {self.condition(rule.pattern or Number(1.0))}:")
            with self._indented():
                self.write(f"{name} = not {self.condition(rule.until)}")
                self._act(rule)
        elif rule.pattern is not None:
            self.write(f"if {self.condition(rule.pattern)}:")
            with self._indented():
                self._act(rule)
        else:
            self._act(rule)

    def _act(self, rule: Rule) -> None:
        if rule.action is None:
            self._print(Print((), rule.line))
        else:
            self._block(rule.action)
