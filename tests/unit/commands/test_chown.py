"""chown and chgrp: owners of the virtual machine."""

import pytest

TRANSCRIPTS = {
    "nobody, whose group has another name": """
$ > f ''
$ chown -v nobody: f
changed ownership of 'f' from user:user to nobody:nogroup
$ stat -c '%U:%G %u:%g' f
nobody:nogroup 65534:65534
$ find . -user nobody -group nogroup
./f
$ chgrp -v user f
changed group of 'f' from nogroup to user
""",
    "the root": """
$ chown -R --preserve-root root /
! chown: it is dangerous to operate recursively on '/'
! chown: use --no-preserve-root to override this failsafe
[1]
""",
    "changing": """
$ > f ''
$ chown root f
$ stat -c '%U:%G %u:%g' f
root:user 0:1000
$ chown user:root f
$ stat -c '%U:%G' f
user:root
$ chown root: f
$ stat -c '%U:%G' f
root:root
$ chown :user f
$ stat -c '%U:%G' f
root:user
$ chown -v 1000:1000 f
changed ownership of 'f' from root:user to user:user
$ chown -v user f
ownership of 'f' retained as user
$ chown 5:6 f
$ stat -c '%U:%G' f
5:6
$ chgrp -v user f
changed group of 'f' from 6 to user
$ chgrp root f
$ mkdir d
$ > d/x ''
$ chown -R root d
$ stat -c '%U' d d/x
root
root
$ chown nosuch f
! chown: invalid user: ‘nosuch’
[1]
$ chgrp nosuch f
! chgrp: invalid group: ‘nosuch’
[1]
$ chown root nope
! chown: cannot access 'nope': No such file or directory
[1]
$ chown root
! chown: missing operand after ‘root’
! Try 'chown --help' for more information.
[1]
$ chown
! chown: missing operand
! Try 'chown --help' for more information.
[1]
$ chown a:nosuch f
! chown: invalid user: ‘a:nosuch’
[1]
$ chgrp root nope
! chgrp: cannot access 'nope': No such file or directory
[1]
$ chown --from=user user f
$ chown --reference=d f
$ stat -c '%U' f
root
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
