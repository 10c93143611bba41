"""patch: apply a difference to files (POSIX XCU patch; GNU diffutils manual, patch)."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.backups import last_backup
from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._notation.quoting import quote_as
from bashkit.commands.comparing.patch.apply import Editor, Fit, file_lines, levels
from bashkit.commands.comparing.patch.edscript import EdError, EdScript
from bashkit.commands.comparing.patch.headers import is_absent, leading
from bashkit.commands.comparing.patch.hunks import Difference, Hunk, MalformedError, Reader
from bashkit.commands.comparing.patch.options import OPTIONS, check, number_of, quoting, version_control
from bashkit.commands.comparing.patch.rejects import rejects
from bashkit.interp.utility.command import Arguments, UsageError, command
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_CUT = "patch unexpectedly ends in middle of line\n"
_TROUBLE = 2


@command(
    "patch",
    write_status=0,
    usage="[OPTION]... [ORIGFILE [PATCHFILE]]",
    summary="Apply a diff file to an original.",
    options=OPTIONS,
    usage_status=_TROUBLE,
    model="GNU patch 2.7.6",
)
def main(process: Process, arguments: Arguments) -> int:
    """Apply it; 1 when a hunk did not fit, 2 for worse."""
    if len(arguments.operands) > 2:
        raise UsageError(f"{arguments.operands[2]}: extra operand")
    check(arguments)
    try:
        return _Patch(process, arguments).run()
    except MalformedError as error:
        process.warn(f"**** {error}")
        return _TROUBLE


class _Patch:
    """One run."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        self._strip = number_of(arguments, "p")
        fuzz = number_of(arguments, "F")
        self._fuzz = 2 if fuzz is None else fuzz
        folder = arguments.get("d")
        self._folder = f"{folder.rstrip('/')}/" if folder else ""
        self._reverse = "R" in arguments  # turned for a difference that is done already
        self._decided = False  # whether it was found that the current difference is done already
        self._control = version_control(process, arguments)
        self._quoting = quoting(process, arguments)
        self._skipped = self._inexact = False  # state of the current difference
        self._all = 0
        self._backed_up: set[str] = set()
        self._removed: list[str] = []
        self._output: list[bytes] = []
        self._rejected: dict[str, bytes] = {}  # what is in each reject file
        self.status = 0

    def run(self) -> int:
        """Apply every difference and return the exit status."""
        process, arguments = self._process, self._arguments
        folder = arguments.get("d")
        if folder and not process.fs.is_directory(process.path(folder)):
            problem = errno.ENOTDIR if process.fs.exists(process.path(folder)) else errno.ENOENT
            process.warn(f"**** Can't change to directory {self._shown(folder)} : {os.strerror(problem)}")
            return _TROUBLE
        output = arguments.get("o")
        if output not in {None, "-"}:
            self._create(b"")
        file = arguments.get("i") or (arguments.operands[1] if len(arguments.operands) > 1 else "-")
        try:
            data = slurp(process, process.open(file if file == "-" or file.startswith("/") else self._folder + file))
        except OSError as error:
            what = "read error" if error.errno == errno.EISDIR else f"Can't open patch file {self._shown(file)}"
            process.warn(f"**** {what} : {error.strerror}")
            return _TROUBLE
        style = {"c": "context", "n": "normal", "u": "unified", "e": "ed"}.get(self._arguments.last("c", "n", "u", "e") or "")
        reader = Reader(data, process.budget, binary="binary" in arguments)
        nameless = not arguments.operands and "posix" not in arguments
        differences = (
            each
            for each in reader.read()
            if style in (None, each.style) and not (nameless and each.style in {"unified", "normal"} and each.is_nameless)
        )
        found = 0
        for found, difference in enumerate(differences, 1):
            self._reverse, self._decided = "R" in arguments, False
            self._detail("Hmm...")
            self._difference(difference, first=found == 1)
            if difference.error is not None:
                raise difference.error
        if not found:
            script = EdScript(data, self._process.budget)
            if script.commands and style in (None, "ed"):
                self._detail("Hmm...  Looks like an ed script to me...\n")
                self._edit(script)
                self._detail("done\n")
                return self.status
            if data:
                self._tell(_CUT * reader.cut)
                self._detail("Hmm...  I can't seem to find a patch in there anywhere.\n")
                process.warn("**** Only garbage was found in the patch input.")
                return _TROUBLE
            nothing = "Hmm...  I can't seem to find a patch in there anywhere.\n"
            self._detail(nothing)
            if output is not None and arguments.operands:
                self._patch(Difference("normal"), arguments.operands[0])
                self._detail(nothing)
            return self.status
        self._tell(_CUT * (reader.cut - 1))
        self._detail("Hmm..." if reader.rest else "")
        self._tell(_CUT * min(reader.cut, 1))
        self._detail("  Ignoring the trailing garbage.\ndone\n" if reader.rest else "done\n")
        for name in self._removed:
            self._detail(f"Removing file {self._shown(name)}\n")
        return self.status

    def _introduce(self, difference: Difference, *, first: bool) -> None:
        """Say what kind of difference comes now, and with ``--verbose`` the text before it."""
        kind = {"context": "new-style context"}.get(difference.style, difference.style)
        self._detail(f"  {'Looks' if first else 'The next patch looks'} like a {kind} diff to me...\n")
        self._say_indent(difference.indent)
        if difference.is_bare:
            self._say("(Stripping trailing CRs from patch; use --binary to disable.)\n")
        if self._target(difference) is not None:
            self._detail(leading(difference))

    def _say_indent(self, columns: int) -> None:
        if columns:
            self._say(f"(Patch is indented {columns} space{'' if columns == 1 else 's'}.)\n")

    def _shown(self, name: str) -> str:
        """A file name in a message."""
        return quote_as(self._quoting, name)

    def _tell(self, text: str) -> None:
        """Write to standard output, or to standard error where the patched file goes there."""
        if self._arguments.get("o") == "-":
            self._process.say(text)
        else:
            self._process.write(text)

    def _say(self, text: str) -> None:
        if self._arguments.last("s", "verbose") != "s":
            self._tell(text)

    def _detail(self, text: str) -> None:
        """Say what only ``--verbose`` tells."""
        if self._arguments.last("s", "verbose") == "verbose":
            self._tell(text)

    def _exists(self, name: str) -> bool:
        try:
            return self._process.fs.stat(self._path(name)).type == "file"
        except OSError:
            return False

    def _path(self, name: str) -> str:
        return self._process.path(name if name.startswith("/") else self._folder + name)

    def _stripped(self, name: str) -> str:
        if not name or name == "/dev/null":
            return ""
        if self._strip is None:
            return name.rpartition("/")[2]
        parts = name.split("/")
        kept = parts[self._strip :] if not name.startswith("/") or self._strip else parts
        return "/".join(part for index, part in enumerate(kept) if part or not index)

    def _target(self, difference: Difference) -> str | None:
        """The file to patch; None if none can be found."""
        if self._arguments.operands:
            return self._arguments.operands[0]
        headed = dict.fromkeys(name for name in (difference.old, difference.new) if name)
        names = [self._stripped(name) for name in headed or [difference.index]]
        if not any(names):
            names = [self._stripped(difference.extended.get(side, "")) for side in ("old", "new")]
        candidates = [name for name in names if name and not self._escapes(name)]
        there = [name for name in candidates if self._exists(name)]
        if "posix" in self._arguments:
            return there[0] if there else None
        if there:
            return min(there, key=lambda name: (name.count("/"), len(name.rpartition("/")[2]), len(name)))
        old = difference.new if self._reverse else difference.old
        made = (
            old == "/dev/null"
            or difference.finds_nothing(reverse=self._reverse)
            or f"{'deleted' if self._reverse else 'new'} file mode" in difference.extended
        )
        if made and candidates:
            return min(candidates, key=lambda name: (self._missing_folders(name), name.count("/"), len(name)))
        return candidates[-1] if candidates and self._empties(difference) else None

    def _missing_folders(self, name: str) -> int:
        """How many directories a file needs that are not there."""
        parts = name.split("/")[:-1]
        return sum(not self._process.fs.exists(self._path("/".join(parts[: end + 1]) or "/")) for end in range(len(parts)))

    def _deletes(self, difference: Difference) -> bool:
        """Whether a patch leaves no file: the new one has no name, or the time of one that is not there."""
        new, header = (difference.new, difference.new_header) if not self._reverse else (difference.old, difference.old_header)
        if "posix" in self._arguments:
            return False
        return (
            new == "/dev/null"
            or (is_absent(header) and difference.leaves_nothing(reverse=self._reverse))
            or f"{'new' if self._reverse else 'deleted'} file mode" in difference.extended
        )

    def _empties(self, difference: Difference) -> bool:
        """Whether a patch leaves nothing of a file, which is deleted or not."""
        return self._deletes(difference) or difference.leaves_nothing(reverse=self._reverse)

    def _would_empty(self, difference: Difference) -> bool:
        """Whether a patch is known to leave nothing before it is applied: a normal difference has no header that would tell."""
        return difference.style != "normal" and self._empties(difference)

    def _escapes(self, name: str) -> bool:
        """Whether a name is outside the working directory, where a patch may not write."""
        if name.startswith("/") or ".." in name.split("/"):
            if self._exists(name):
                self._tell(f"Ignoring potentially dangerous file name {name}\n")
            return True
        return False

    def _difference(self, difference: Difference, *, first: bool) -> None:
        name = self._target(difference)
        is_binary = "GIT binary" in difference.extended
        if name is not None and not is_binary and self._is_done_already(difference, name):
            return
        self._introduce(difference, first=first)
        verb = next((verb for verb in ("rename", "copy") if f"{verb} to" in difference.extended), None)
        if verb is not None and name is None:
            self._tell(f"Cannot {verb} file without two valid file names\n")
            self._count_ignored(difference)
            self.status = max(self.status, 1)
        elif name is None:
            self._lost(difference)
        elif is_binary:
            self._tell(f"File {self._shown(name)}: git binary diffs are not supported.\n")
            self.status = max(self.status, 1)
        else:
            self._patch(difference, name, verb)

    def _read(self, name: str) -> bytes | None:
        """What is in a file; None if it is not there."""
        return bytes(self._process.fs.read_file(self._path(name))) if self._exists(name) else None

    def _patch(self, difference: Difference, name: str, verb: str | None = None) -> None:
        """Patch a file, which may be renamed or copied by that."""
        process, arguments = self._process, self._arguments
        before = self._read(name)
        data, output = before or b"", arguments.get("o")
        note, target = f" (read from {name})" if output else "", name
        if verb is not None:
            note, target = self._moved(difference, name, verb)
        shown = output or target
        folders = accumulate(shown.split("/")[:-1], "{}/{}".format)
        if any(self._exists(folder) for folder in folders):
            self._say(f"Invalid file name {self._shown(name)} -- skipping patch\n")
            self._number_ignored(difference)
            self.status = max(self.status, 1)
            return
        if not self._may_write(difference, name, shown):
            return
        self._say(f"{'checking' if 'dry-run' in arguments else 'patching'} file {self._shown(shown)}{note}\n")
        self._detail("Using Plan A...\n")
        if not difference.hunks and difference.error is None and data and self._deletes(difference):
            self._keep(name)
            return
        is_new = self._creates(difference)
        editor = Editor(file_lines(data), process.budget, loose="l" in arguments, ifdef=arguments.get("D"), is_new=is_new)
        failed = self._hunks(difference, editor)
        if difference.error is not None:
            return
        result = editor.finish()
        expects_lines = not (difference.finds_nothing(reverse=self._reverse) or self._empties(difference))
        if failed and before is None and output is None and expects_lines:
            process.warn(f"**** Can't reopen file {self._shown(name)} : No such file or directory")
            self.status = _TROUBLE
            return
        if result and output is None and self._deletes(difference) and not (failed and self._skipped):
            if difference.is_one_sided(reverse=self._reverse):
                self._keep(name)
        if not (failed and self._skipped):
            mismatch = bool(failed) or self._inexact
            self._put(difference, shown, name, before, result, mismatch=mismatch)
        if failed:
            self._reject(difference, shown, failed)

    def _keep(self, name: str) -> None:
        """Say that a file is not deleted, because something is left of it."""
        self._say(f"Not deleting file {self._shown(name)} as content differs from patch\n")
        self.status = max(self.status, 1)

    def _moved(self, difference: Difference, name: str, verb: str) -> tuple[str, str]:
        """The remark about a file that a patch renames or copies, and its new name."""
        names = [self._stripped(difference.old), self._stripped(difference.new)]
        source, target = reversed(names) if self._reverse else names
        already = "already " if name == target and not self._exists(source) else ""
        done = {"rename": "renamed", "copy": "copied"}[verb]
        return f" ({already}{done} from {self._shown(source)})", target

    def _edit(self, script: EdScript) -> None:
        """Let an ed script change a file."""
        self._say_indent(script.indent)
        difference = Difference("ed", index=script.index)
        name = self._target(difference)
        if name is None:
            self._lost(difference)
            return
        before = self._read(name)
        try:
            result = script.apply(before or b"", self._process.budget)
        except EdError:
            self._process.write("?\n")
            self._process.warn("**** ed FAILED")
            self.status = _TROUBLE
            return
        if "dry-run" not in self._arguments:
            self._put(difference, name, name, before, result, mismatch=False)

    def _put(self, difference: Difference, name: str, source: str, before: bytes | None, after: bytes, *, mismatch: bool) -> None:
        """Write the patched text to where it belongs; ``--dry-run`` spares only the patched file."""
        output = self._arguments.get("o")
        if output == "-":
            self._process.stdout.write(after)
        elif output is not None:
            self._output.append(after)
            self._create(b"".join(self._output))
        elif "dry-run" not in self._arguments:
            self._store(difference, name, source, before, after, mismatch=mismatch)

    def _create(self, data: bytes) -> None:
        """Write the file of ``-o``; a new one is its user's alone, as the temporary file is that patch makes."""
        name = self._arguments.get("o") or ""
        is_new = not self._process.fs.exists(self._path(name))
        self._process.create(name if name.startswith("/") else self._folder + name).write(data)
        if is_new and self._exists(name):
            self._process.fs.chmod(self._path(name), 0o600)

    def _may_write(self, difference: Difference, name: str, shown: str) -> bool:
        """Whether a read-only file is patched anyway."""
        try:
            kind = self._process.fs.stat(self._path(name), follow="follow-symlinks" in self._arguments).type
        except OSError:
            return True
        if kind != "file":
            self._tell(f"File {self._shown(name)} is not a regular file -- refusing to patch\n")
            self._refuse(difference, shown)
            return False
        behavior = self._arguments.get("read-only") or "warn"
        if behavior == "ignore" or self._process.fs.access(self._path(name), "w"):
            return True
        refuses = behavior == "fail"
        self._tell(f"File {self._shown(name)} is read-only; {'refusing to patch' if refuses else 'trying to patch anyway'}\n")
        if refuses:
            self._refuse(difference, shown)
        return not refuses

    def _refuse(self, difference: Difference, shown: str) -> None:
        """Reject all hunks of a difference."""
        self._skipped, self._all = True, len(difference.hunks)
        self.status = max(self.status, 1)
        self._reject(difference, shown, difference.hunks)

    def _is_done_already(self, difference: Difference, name: str) -> bool:
        """Whether the patch would create a file that exists, or delete one that does not, without the user's consent."""
        if "posix" in self._arguments:
            return False
        data = self._read(name)
        if data and self._creates(difference):
            effect, state = "create", "already exists"
        elif not data and self._would_empty(difference) and (difference.hunks or data is None):
            effect, state = ("delete", "does not exist") if data is None else ("empty out", "is already empty")
        else:
            return False
        when = ", when reversed," if self._reverse else ""
        decision = self._decision()
        tell = self._say if decision == "go on" else self._tell
        tell(f"The next patch{when} would {effect} the file {self._shown(name)},\nwhich {state}!  ")
        self._decided = True
        if decision == "go on":
            self._say("Applying it anyway.\n")
            return False
        if decision == "reverse":
            self._tell(f"{'Ignoring' if self._reverse else 'Assuming'} -R.\n")
            self._reverse = not self._reverse
            return False
        if decision == "skip":
            self._tell("Skipping patch.\n")
        else:
            self._tell(f"{'Ignore' if self._reverse else 'Assume'} -R? [n] \nApply anyway? [n] \n")
            self._say("Skipping patch.\n")
        self._count_ignored(difference)
        self.status = max(self.status, 1)
        return True

    def _creates(self, difference: Difference) -> bool:
        """Whether a patch is for a file that is not there: the old one has no name, or the time of one that is not there."""
        old, header = (difference.new, difference.new_header) if self._reverse else (difference.old, difference.old_header)
        return old == "/dev/null" or (is_absent(header) and difference.finds_nothing(reverse=self._reverse))

    def _hunks(self, difference: Difference, editor: Editor) -> list[Hunk]:
        """Apply the hunks; return those that failed."""
        self._inexact = self._skipped = False
        skipping = False
        failed: list[Hunk] = []
        may_be_done = not self._decided and not (editor.is_new and editor.lines)
        grown = 0  # lines that the hunks have added so far
        for number, given in enumerate(difference.hunks, 1):
            if difference.is_cut and given is difference.hunks[-1] and difference.error is None:
                self._tell(_CUT)
            hunk = given.reversed() if self._reverse else given
            fit = None if skipping else self._fit(editor, hunk, may_be_done=may_be_done and number == 1)
            if isinstance(fit, str):
                decision, fit = fit, None
                if decision == "reverse":
                    self._inexact = True
                    self._reverse, hunk = not self._reverse, hunk.reversed()
                if decision != "skip":
                    fit = editor.find(hunk, self._fuzz)
                skipping = decision == "skip"
            if fit is None:
                failed.append(replace(hunk, old=hunk.old + grown, new=hunk.new + grown))
                self.status = max(self.status, 1)
                place = hunk.old + grown + (not hunk.before())
                if skipping:
                    self._detail(f"Hunk #{number} ignored at {place}.\n")
                else:
                    if editor.has_passed(hunk):
                        self._say("misordered hunks! output would be garbled\n")
                    ends = " (different line endings)" if editor.ends_differ(hunk, place) else ""
                    self._say(f"Hunk #{number} FAILED at {place}{ends}.\n")
                continue
            editor.apply(hunk, fit)
            place = fit.index - fit.head if hunk.before() else hunk.old + editor.offset
            line = place + grown + 1  # without the conditionals of ``-D``
            grown += len(hunk.after()) - len(hunk.before())
            self._inexact = self._inexact or bool(fit.fuzz or editor.offset)
            if fit.fuzz or editor.offset:
                fuzz = f" with fuzz {fit.fuzz}" if fit.fuzz else ""
                lines = f" (offset {editor.offset} line{'' if editor.offset == 1 else 's'})" if editor.offset else ""
                self._say(f"Hunk #{number} succeeded at {line}{fuzz}{lines}.\n")
            else:
                self._detail(f"Hunk #{number} succeeded at {line}.\n")
        if difference.is_cut and difference.error is not None:
            self._tell(_CUT)
        if failed:
            self._skipped, self._all = skipping, len(difference.hunks)
        return failed

    def _fit(self, editor: Editor, hunk: Hunk, *, may_be_done: bool) -> Fit | str | None:
        """Where a hunk fits, or what is to be done about one that fits the other way round with less fuzz."""
        for fuzz in range(levels(hunk, self._fuzz)):
            fit = editor.fit(hunk, fuzz)
            if fit is not None:
                return fit
            if may_be_done and editor.fit(hunk.reversed(), fuzz) is not None:
                return self._reversed_patch()
        return None

    def _reversed_patch(self) -> str:
        """Decide about a patch that seems to be applied already: ``reverse``, ``skip`` or ``go on``."""
        decision = "go on" if "f" in self._arguments else self._decision()
        if decision == "go on":
            return decision
        found = f"{'Unreversed' if self._reverse else 'Reversed (or previously applied)'} patch detected!  "
        if decision == "skip":
            self._tell(f"{found}Skipping patch.\n")
        elif decision == "reverse":
            self._tell(f"{found}{'Ignoring' if self._reverse else 'Assuming'} -R.\n")
        else:
            self._tell(f"{found}{'Ignore' if self._reverse else 'Assume'} -R? [n] \nApply anyway? [n] \n")
            self._say("Skipping patch.\n")
        return decision or "skip"

    def _decision(self) -> str | None:
        """What the options say about a patch that is done already; None where the terminal would be asked, which says no."""
        if "N" in self._arguments:
            return "skip"
        return "go on" if "f" in self._arguments else "reverse" if "t" in self._arguments else None

    def _store(
        self, difference: Difference, name: str, source: str, before: bytes | None, after: bytes, *, mismatch: bool
    ) -> None:
        process, fs, arguments = self._process, self._process.fs, self._arguments
        path = self._path(name)
        wanted = "b" in arguments
        wanted = wanted or (mismatch and "no-backup-if-mismatch" not in arguments and "POSIXLY_CORRECT" not in process.env)
        mode = 0o666 & ~process.umask
        if before is not None:
            mode = fs.stat(self._path(source)).mode
        for each, content in ((source, before), (name, self._read(name))):
            if wanted and self._path(each) not in self._backed_up:
                self._backed_up.add(self._path(each))
                self._write(self._path(self._backup(each)), content or b"", mode)
        old = difference.new if self._reverse else difference.old
        gone = not after and ("E" in arguments or self._deletes(difference))
        if before is not None and (gone or (source != name and "copy to" not in difference.extended)):
            fs.unlink(self._path(source))
            self._leave(source)
        if gone and old != "/dev/null":
            self._removed.append(name)
            return
        changed = difference.extended.get("old mode" if self._reverse else "new mode")
        git_mode = difference.extended.get("new file mode") or changed
        if git_mode and is_digits(git_mode[-3:]):
            mode = int(git_mode[-3:], 8)
        if fs.exists(path) and (not fs.access(path, "w") or fs.stat(path, follow=False).type == "symlink"):
            fs.unlink(path)
        self._write(path, after, mode)
        if git_mode:
            fs.chmod(path, mode)

    def _leave(self, name: str) -> None:
        """Remove the directories that a removed file leaves empty."""
        while (name := name.rpartition("/")[0]).strip("/"):
            try:
                self._process.fs.rmdir(self._path(name))
            except OSError:
                return

    def _write(self, path: str, content: bytes, mode: int) -> None:
        """Write a file; directories that it needs are made."""
        fs, folder = self._process.fs, path.rpartition("/")[0]
        if folder and not fs.exists(folder):
            fs.makedirs(folder)
        fs.write_file(path, content, mode)

    def _backup(self, name: str) -> str:
        """The name of a file's backup."""
        head, slash, base = name.rpartition("/")
        prefix, inner, suffix = (self._arguments.get(key) or "" for key in ("B", "Y", "z"))
        if prefix or inner or suffix:
            return f"{prefix}{head}{slash}{inner}{base}{suffix}"
        last = last_backup(self._process, self._path(name)) if self._control != "simple" else 0
        ending = self._process.env.get("SIMPLE_BACKUP_SUFFIX") or ".orig"
        return f"{name}.~{last + 1}~" if self._control == "numbered" or last else f"{name}{ending}"

    def _counted(self, failed: list[Hunk]) -> str:
        return f"{len(failed)} out of {self._all} hunk{'' if self._all == 1 else 's'} {'ignored' if self._skipped else 'FAILED'}"

    def _reject(self, difference: Difference, name: str, failed: list[Hunk]) -> None:
        target = self._arguments.get("r") or name + ".rej"
        count = self._counted(failed)
        if target == "-" or "dry-run" in self._arguments:
            self._tell(count + "\n")
            return
        self._tell(f"{count} -- saving rejects to file {self._shown(target)}\n")
        style = self._arguments.get("reject-format") or difference.style
        if difference.style == "normal" and style == "context":
            style = "normal"  # its hunks have nothing that a context difference shows besides
        text = rejects(difference, failed, style=style, reverse=self._reverse, stripped=self._stripped)
        self._rejected[target] = self._rejected.get(target, b"") + text
        self._write(self._path(target), self._rejected[target], 0o666 & ~self._process.umask)

    def _lost(self, difference: Difference) -> None:
        self._say(f"can't find file to patch at input line {difference.line}\n")
        if difference.old or difference.new:
            used = "should have used the" if self._strip is None else "used the wrong"
            self._say(f"Perhaps you {used} -p or --strip option?\n")
        self._tell(leading(difference))
        if {"f", "t"} & {key for key, _ in self._arguments.given}:
            self._tell("No file to patch.  Skipping patch.\n")
        else:
            self._tell("File to patch: \nSkip this patch? [y] \n")
            self._say("Skipping patch.\n")
        self._count_ignored(difference)
        self.status = max(self.status, 1)

    def _count_ignored(self, difference: Difference) -> None:
        if difference.is_cut:
            self._tell(_CUT)
        count = len(difference.hunks)
        self._number_ignored(difference)
        if count and difference.error is None:
            self._tell(f"{count} out of {count} hunk{'' if count == 1 else 's'} ignored\n")

    def _number_ignored(self, difference: Difference) -> None:
        for number, hunk in enumerate(difference.hunks, 1):
            turned = hunk.reversed() if self._reverse else hunk
            self._detail(f"Hunk #{number} ignored at {turned.old + (not turned.before())}.\n")
