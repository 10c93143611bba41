"""The journal: what one side writes is what the other reads, in order, once."""

import os
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bashkit.errors import LimitExceededError
from bashkit.limits import Budget, ExecutionLimits
from bashkit.sandbox.journal import _KEPT, STDERR, STDOUT, JournalReader, JournalStream, JournalWriter, make

PIECES = st.lists(st.tuples(st.sampled_from([STDOUT, STDERR]), st.binary(max_size=300), st.booleans()), max_size=40)


def joined(pieces):
    """Neighbours of one stream as one piece."""
    found = []
    for stream, data in pieces:
        if found and found[-1][0] == stream:
            found[-1] = (stream, found[-1][1] + bytes(data))
        elif data:
            found.append((stream, bytes(data)))
    return found


def pair(output=1000):
    reader = JournalReader(make())
    writer = JournalWriter(os.dup(reader.descriptor))
    writer.begin(reader.begin(output))
    return reader, writer


@settings(deadline=None)
@given(PIECES)
def test_everything_arrives_in_order_and_once(pieces):
    reader, writer = pair()
    read = []
    for stream, data, look in pieces:
        assert writer.write(stream, data)
        if look:
            read += reader.take()
    read += reader.take()
    assert joined(read) == joined((stream, data) for stream, data, _ in pieces)
    assert reader.take() == []


@pytest.mark.parametrize("read", [False, True])
@pytest.mark.parametrize("stream", [STDOUT, STDERR])
def test_a_second_script_begins_with_nothing(read, stream):
    reader, writer = pair()
    writer.write(STDERR, b"older")
    writer.write(STDOUT, b"old")
    assert not read or reader.take() == [(STDERR, b"older"), (STDOUT, b"old")]
    writer.begin(reader.begin(1000))
    assert reader.take() == []
    writer.write(stream, b"new")
    assert reader.take() == [(stream, b"new")]


def test_what_does_not_fit_is_refused_whole():
    _, writer = pair(0)
    assert not writer.write(STDOUT, bytes(2 << 20))
    assert writer.write(STDOUT, b"small")


@settings(deadline=None)
@given(st.binary(max_size=60), st.integers(0, 2**64 - 1))
def test_a_damaged_journal_harms_nobody(garbage, used):
    reader, _ = pair()
    os.pwrite(reader.descriptor, struct.pack("<Q", used) + garbage, 0)
    for _ in range(3):
        assert all(stream in {STDOUT, STDERR} for stream, _ in reader.take())


def test_much_output_leaves_no_memory_behind():
    output = 8 * _KEPT
    reader, writer = pair(output)
    for length, kept in ((_KEPT // 2, True), (output, False)):
        assert writer.write(STDOUT, bytes(length))
        writer.begin(reader.begin(output))
        assert (os.fstat(reader.descriptor).st_blocks * 512 >= length) is kept
    writer.write(STDERR, b"new")
    assert reader.take() == [(STDERR, b"new")]


def test_a_stream_keeps_what_fits_and_ends_the_script():
    reader, writer = pair()
    budget = Budget(ExecutionLimits(max_output_bytes=5))
    streams = {number: JournalStream(writer, number, budget) for number in (STDOUT, STDERR)}
    told = []
    streams[STDOUT].written = lambda: told.append(reader.take())
    streams[STDOUT].write(b"ab")
    streams[STDERR].write(b"c")
    with pytest.raises(LimitExceededError, match="max_output_bytes"):
        streams[STDOUT].write(b"defg")
    assert told == [[(STDOUT, b"ab")]]
    assert reader.take() == [(STDERR, b"c"), (STDOUT, b"de")]


def test_a_stream_for_which_the_file_has_no_room_ends_the_script():
    _, writer = pair(0)
    stream = JournalStream(writer, STDOUT, Budget(ExecutionLimits()))
    with pytest.raises(LimitExceededError, match="max_output_bytes"):
        stream.write(bytes(2 << 20))
