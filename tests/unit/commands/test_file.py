"""file: kinds of content."""

import pytest

TRANSCRIPTS = {
    "kinds": r"""
$ > t 'hello\n'
$ > n 'hello'
$ > u 'h\u00e9llo\n'
$ > e ''
$ > j '{"a": 1}\n'
$ > s '#!/bin/sh\necho\n'
$ > bs '#!/bin/bash\necho\n'
$ > py '#!/usr/bin/env python3\nprint()\n'
$ > h '<!DOCTYPE html>\n<html></html>\n'
$ > x '<?xml version="1.0"?>\n<a/>\n'
$ > crlf 'a\r\nb\r\n'
$ > bin '\x00\x01\x02\x03'
$ mkdir d
$ ln -s t l
$ ln -s gone m
$ file t n u e
t: ASCII text
n: ASCII text, with no line terminators
u: Unicode text, UTF-8 text
e: empty
$ file j s bs py
j:  JSON text data
s:  POSIX shell script, ASCII text executable
bs: Bourne-Again shell script, ASCII text executable
py: Python script, ASCII text executable
$ file h x crlf bin
h:    HTML document, ASCII text
x:    XML 1.0 document, ASCII text
crlf: ASCII text, with CRLF line terminators
bin:  data
$ file d l m nope
d:    directory
l:    symbolic link to t
m:    broken symbolic link to gone
nope: cannot open `nope' (No such file or directory)
$ file -L l
l: ASCII text
$ file -b t d
ASCII text
directory
$ file -i t u j bin d
t:   text/plain; charset=us-ascii
u:   text/plain; charset=utf-8
j:   application/json; charset=us-ascii
bin: application/octet-stream; charset=binary
d:   inode/directory; charset=binary
$ file --mime-type t j s d e
t: text/plain
j: application/json
s: text/x-shellscript
d: inode/directory
e: inode/x-empty
$ file --mime-encoding t u bin
t:   us-ascii
u:   utf-8
bin: binary
$ file - < 'abc\n'
/dev/stdin: ASCII text
$ file -F '=' t
t= ASCII text
$ file -N t crlf
t: ASCII text
crlf: ASCII text, with CRLF line terminators
$ file
! file: Usage: file [-bhiLN0] [--mime-type] [--mime-encoding] FILE ...
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
