"""The journal: what one side writes is what the other reads, in order, once."""

import os
import struct

from hypothesis import given, settings
from hypothesis import strategies as st

from bashkit.sandbox.journal import STDERR, STDOUT, JournalReader, JournalWriter, make

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


def test_a_second_script_begins_with_nothing():
    reader, writer = pair()
    writer.write(STDOUT, b"old")
    writer.begin(reader.begin(1000))
    assert reader.take() == []
    writer.write(STDERR, b"new")
    assert reader.take() == [(STDERR, b"new")]


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
