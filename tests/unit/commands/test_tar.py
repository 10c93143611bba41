"""tar: creating, listing and extracting."""

import pytest

TRANSCRIPTS = {
    "archives": """
$ > d/a 'hello\\n'
$ > d/sub/b 'xx'
$ ln -s a d/l
$ chmod 755 d/a
$ mkdir d/empty
$ touch -h -d '2024-01-02 03:04:05' d/a d/sub/b d/l d/empty d/sub d
$ tar cf a.tar d/a d/sub
$ tar tf a.tar
d/a
d/sub/
d/sub/b
$ tar tvf a.tar
-rwxr-xr-x user/user         6 2024-01-02 03:04 d/a
drwxr-xr-x user/user         0 2024-01-02 03:04 d/sub/
-rw-r--r-- user/user         2 2024-01-02 03:04 d/sub/b
$ tar -tf a.tar d/a
d/a
$ tar -tf a.tar nope
! tar: nope: Not found in archive
! tar: Exiting with failure status due to previous errors
[2]
$ mkdir out
$ tar xf a.tar -C out
$ ls -R out
out:
d

out/d:
a
sub

out/d/sub:
b
$ tar -xvf a.tar -C out d/a
d/a
$ tar -czf a.tgz d/sub
$ tar tzf a.tgz
d/sub/
d/sub/b
$ tar tf a.tgz
d/sub/
d/sub/b
$ tar -xOf a.tar d/a
hello
$ tar cvf b.tar d/a d/sub/b
d/a
d/sub/b
$ tar -cf b.tar nope
! tar: nope: Cannot stat: No such file or directory
! tar: Exiting with failure status due to previous errors
[2]
$ tar xf nope.tar
! tar: nope.tar: Cannot open: No such file or directory
! tar: Error is not recoverable: exiting now
[2]
$ tar -xf a.tar -C nodir
! tar: nodir: Cannot open: No such file or directory
! tar: Error is not recoverable: exiting now
[2]
$ tar
! tar: You must specify one of the '-Acdtrux', '--delete' or '--test-label' options
! Try 'tar --help' or 'tar --usage' for more information.
[2]
$ tar cf
! tar: Old option 'f' requires an argument.
! Try 'tar --help' or 'tar --usage' for more information.
[2]
$ tar -cf tot.tar --totals d/a
! Total bytes written: 10240 (10KiB, ?/s)
$ tar -tf tot.tar --totals
d/a
! Total bytes read: 10240 (10KiB, ?/s)
$ tar -cf x.tar
! tar: Cowardly refusing to create an empty archive
! Try 'tar --help' or 'tar --usage' for more information.
[2]
$ tar -ctf x.tar d
! tar: You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option
! Try 'tar --help' or 'tar --usage' for more information.
[2]
$ tar xf a.tar --strip-components=1 -C out
$ ls out
a
d
sub
$ tar -cf e.tar --exclude=sub --exclude='*l' d
$ tar -tf e.tar
d/
d/a
d/empty/
$ tar -rf a.tar d/l
$ tar -tvf a.tar d/l
lrwxrwxrwx user/user         0 2024-01-02 03:04 d/l -> a
$ tar -tzf a.tar
!\x20
! gzip: stdin: not in gzip format
! tar: Child returned status 1
! tar: Error is not recoverable: exiting now
[2]
$ > junk 'this is not an archive, it is some text that is long enough'
$ tar -xf junk
! tar: This does not look like a tar archive
! tar: Exiting with failure status due to previous errors
[2]
$ tar -cf h.tar -C d a
$ tar -tf h.tar
a
$ > list 'd/a\\nd/sub/b\\n'
$ tar -cf t.tar -T list
$ tar -tf t.tar
d/a
d/sub/b
$ tar -xkf t.tar
! tar: d/a: Cannot open: File exists
! tar: d/sub/b: Cannot open: File exists
! tar: Exiting with failure status due to previous errors
[2]
$ tar -xf a.tar --wildcards 'd/s*' -v
d/sub/
d/sub/b
$ tar -cf abs.tar /etc/hostname-missing
! tar: Removing leading `/' from member names
! tar: /etc/hostname-missing: Cannot stat: No such file or directory
! tar: Exiting with failure status due to previous errors
[2]
$ tar --bogus
! tar: unrecognized option '--bogus'
! Try 'tar --help' or 'tar --usage' for more information.
[64]
$ tar cjf a.tbz d/a
$ tar tf a.tbz
d/a
$ tar cJf a.txz d/a
$ tar tvf a.txz
-rwxr-xr-x user/user         6 2024-01-02 03:04 d/a
$ tar -caf auto.tar.gz d/a
$ tar -tf auto.tar.gz
d/a
$ tar -xf a.tar d/sub --no-recursion
$ tar -cf link.tar d/l
$ tar -xf link.tar -C out
$ readlink out/d/l
a
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)


def test_names_do_not_lead_out_of_the_directory(utility):
    import io
    import tarfile

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in ("../../evil", "/abs"):
            info = tarfile.TarInfo(name)
            info.size = 1
            archive.addfile(info, io.BytesIO(b"x"))
    utility.write("x.tar", buffer.getvalue())
    outcome = utility("tar", "-xf", "x.tar")
    assert outcome.status == 2
    assert "Removing leading `../../' from member names\ntar: ../../evil: Member name contains '..'" in outcome.stderr
    assert "Removing leading `/' from member names" in outcome.stderr
    assert utility.read("abs") == "x"
    assert not utility.fs.exists("/home/user/evil")


def test_pipe(utility):
    import io
    import tarfile

    utility.write("f", "data")
    outcome = utility("tar", "-cf", "-", "f")
    with tarfile.open(fileobj=io.BytesIO(outcome.stdout.encode("utf-8", "surrogateescape"))) as archive:
        assert archive.getnames() == ["f"]
    listed = utility("tar", "-tf", "-", stdin=outcome.stdout.encode("utf-8", "surrogateescape"))
    assert listed.stdout == "f\n"


def test_maps_say_who_owns_what_is_archived(utility):
    utility.write("f", "")
    uid = utility.fs.stat("/home/user/f").uid
    utility.write("m", f"+{uid} bob:1234  # whoever it was\n\n+77 +78\n")
    utility("tar", "--owner-map=m", "--group-map=m", "-cf", "x.tar", "f")
    assert utility("tar", "-tvf", "x.tar").stdout.split()[1] == "bob/bob"
    assert utility("tar", "--numeric-owner", "-tvf", "x.tar").stdout.split()[1] == "1234/1234"


def test_a_map_that_cannot_be_read(utility):
    utility.write("f", "")
    utility.write("m", "+0 bob:1\n+0 nobody-knows\n")
    outcome = utility("tar", "--owner-map=m", "-cf", "x.tar", "f")
    assert (
        outcome.stderr
        == "tar: m:2: can't obtain UID of nobody-knows\ntar: errors reading map file\ntar: Error is not recoverable: exiting now\n"
    )
    assert (outcome.status, utility.fs.exists("/home/user/x.tar")) == (2, False)
