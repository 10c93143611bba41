"""df: the one file system there is."""

import pytest

TRANSCRIPTS = {
    "usage": """
$ df
Filesystem     1K-blocks  Used Available Use% Mounted on
memory             65536     0     65536   0% /
$ df -h
Filesystem      Size  Used Avail Use% Mounted on
memory           64M     0   64M   0% /
$ df -T /
Filesystem     Type  1K-blocks  Used Available Use% Mounted on
memory         tmpfs     65536     0     65536   0% /
$ df -P .
Filesystem     1024-blocks  Used Available Capacity Mounted on
memory               65536     0     65536       0% /
$ df -m
Filesystem     1M-blocks  Used Available Use% Mounted on
memory                64     0        64   0% /
$ df --total --output=source,size,pcent,target
Filesystem     1K-blocks Use% Mounted on
memory             65536   0% /
total              65536   0% -
$ df --total --output=size,target -h
 Size Mounted on
  64M /
  64M total
$ df -x tmpfs
! df: no file systems processed
[1]
$ df -t tmpfs --output=fstype,target
Type  Mounted on
tmpfs /
$ df nope
! df: nope: No such file or directory
[1]
$ df -B x
! df: invalid -B argument 'x'
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
