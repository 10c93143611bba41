"""Channels: what one end sends is what the other receives, and what is no frame is refused, whoever has sent it."""

import json
import os
import socket
import struct

import pytest

from bashkit.sandbox.channel import Channel, ProtocolError

LARGEST = 100


@pytest.fixture
def ends():
    """A channel, and the bare socket that it is connected with."""
    ours, theirs = socket.socketpair()
    channel = Channel(ours, LARGEST)
    yield channel, theirs
    channel.close()
    theirs.close()


def frame(text, data=b"", size=None):
    return struct.pack("<II", len(text) if size is None else size, len(data)) + text + data


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (frame(b"x" * 60, b"y" * 41), "a frame is too large"),
        (frame(b"", size=1 << 31), "a frame is too large"),
        (frame(b""), "a frame has no message"),
        (frame(b"{"), "a frame has no message"),
        (frame(b"7"), "a frame has no message"),
        (frame(b"[]"), "a frame has no message"),
        (frame(b'"\xff"'), "a frame has no message"),
        (frame(b"[" * LARGEST), "a frame has no message"),
        (frame(b"[7]"), "a message has no kind"),
        (frame(b"[null, 7]"), "a message has no kind"),
    ],
)
def test_what_is_no_frame_is_refused(ends, sent, said):
    channel, other = ends
    other.sendall(sent)
    with pytest.raises(ProtocolError, match=said):
        channel.receive()


def test_a_frame_may_be_as_large_as_that(ends):
    channel, other = ends
    text = json.dumps(["kind", 7]).encode()
    other.sendall(frame(text, b"y" * (LARGEST - len(text))))
    assert channel.receive()[:2] == ("kind", [7])


@pytest.mark.parametrize("left", [0, 3, 8, 10])
def test_a_frame_that_ends_too_early_is_the_end(ends, left):
    channel, other = ends
    other.sendall(frame(b'["kind"]', b"data")[:left])
    other.close()
    assert channel.receive() is None


def test_whether_a_whole_frame_has_come(ends):
    channel, other = ends
    whole = frame(b'["kind"]', b"data")
    other.sendall(whole + whole[:-1])
    assert not channel.has_frame
    assert bytes(channel.receive().data) == b"data"
    assert not channel.has_frame
    other.sendall(whole[-1:] + whole + whole[:3])
    channel.receive()
    assert channel.has_frame
    channel.receive()
    assert not channel.has_frame


def test_descriptors_come_with_a_frame_and_the_sender_keeps_its_own(ends):
    channel, other = ends
    here, there = Channel(other), channel
    reading, writing = os.pipe()
    here.send("take", descriptors=[writing])
    os.close(writing)
    assert there.receive().kind == "take"
    assert len(there.descriptors) == 1
    given = there.descriptors.popleft()
    os.write(given, b"through")
    os.close(given)
    assert os.read(reading, 100) == b"through"
    assert os.read(reading, 100) == b""
    os.close(reading)
    here.forget()
