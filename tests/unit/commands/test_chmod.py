"""chmod: octal and symbolic modes."""

import pytest

TRANSCRIPTS = {
    "the root": """
$ chmod -R --preserve-root 700 /
! chmod: it is dangerous to operate recursively on '/'
! chmod: use --no-preserve-root to override this failsafe
[1]
$ chmod -R --preserve-root 700 ../..
! chmod: it is dangerous to operate recursively on '../..' (same as '/')
! chmod: use --no-preserve-root to override this failsafe
[1]
$ stat -c %a /home
755
$ chmod --preserve-root 700 /
$ stat -c %a /
700
""",
    "a directory that cannot be entered": """
$ mkdir d
$ > d/x ''
$ > d/y ''
$ chmod 644 d
$ chmod -R 600 d
! chmod: cannot access 'd/x': Permission denied
! chmod: cannot access 'd/y': Permission denied
[1]
$ chmod -Rv 600 d
mode of 'd' retained as 0600 (rw-------)
'd/x' could not be accessed
'd/y' could not be accessed
! chmod: cannot access 'd/x': Permission denied
! chmod: cannot access 'd/y': Permission denied
[1]
""",
    "modes": """
$ > f ''
$ mkdir d
$ > d/x ''
$ chmod 644 f
$ chmod -v 755 f
mode of 'f' changed from 0644 (rw-r--r--) to 0755 (rwxr-xr-x)
$ chmod -v 755 f
mode of 'f' retained as 0755 (rwxr-xr-x)
$ chmod -c 755 f
$ chmod -c u-x f
mode of 'f' changed from 0755 (rwxr-xr-x) to 0655 (rw-r-xr-x)
$ stat -c %a f
655
$ chmod +x f
$ stat -c %a f
755
$ chmod a-x,u+x f
$ stat -c %a f
744
$ chmod go=u f
$ stat -c %a f
777
$ chmod =r f
$ stat -c %a f
444
$ chmod u=rwx,g=rx,o= f
$ stat -c %a f
750
$ chmod -x f
$ stat -c %a f
640
$ chmod +X f d
$ stat -c %a f d
640
755
$ chmod u+s,g+s,+t d
$ stat -c %a d
7755
$ chmod 755 d
$ stat -c %a d
6755
$ chmod 0755 d
$ stat -c %a d
6755
$ chmod 00755 d
$ stat -c %a d
755
$ chmod g+s d
$ chmod g= d
$ stat -c %a d
2705
$ chmod -R 700 d
$ stat -c %a d d/x
2700
700
$ chmod -Rv u=rwX,go=rX d
mode of 'd' changed from 2700 (rwx--S---) to 2755 (rwxr-sr-x)
mode of 'd/x' changed from 0700 (rwx------) to 0755 (rwxr-xr-x)
$ chmod --reference=d f
$ stat -c %a f
2755
$ chmod u=g,o=u f
$ stat -c %a f
2555
$ chmod o+w-r f
$ stat -c %a f
2553
$ chmod +w f
$ stat -c %a f
2753
$ chmod u+s f
$ chmod u=rw f
$ stat -c %a f
2653
$ chmod a=t d
$ stat -c %a d
3000
$ chmod o=t d
$ stat -c %a d
3000
$ chmod 9 f
! chmod: invalid mode: ‘9’
! Try 'chmod --help' for more information.
[1]
$ chmod zz f
! chmod: invalid mode: ‘zz’
! Try 'chmod --help' for more information.
[1]
$ chmod u+q f
! chmod: invalid mode: ‘u+q’
! Try 'chmod --help' for more information.
[1]
$ chmod 644
! chmod: missing operand after ‘644’
! Try 'chmod --help' for more information.
[1]
$ chmod
! chmod: missing operand
! Try 'chmod --help' for more information.
[1]
$ chmod 644 nope
! chmod: cannot access 'nope': No such file or directory
[1]
$ chmod -v 644 nope
'nope' could not be accessed
! chmod: cannot access 'nope': No such file or directory
[1]
$ chmod -f 644 nope
[1]
$ ln -s nowhere l
$ chmod 644 l
! chmod: cannot operate on dangling symlink 'l'
[1]
$ chmod --reference=nope f
! chmod: failed to get attributes of 'nope': No such file or directory
[1]
$ chmod 77777 f
! chmod: invalid mode: ‘77777’
! Try 'chmod --help' for more information.
[1]
$ chmod u+rw,g f
! chmod: invalid mode: ‘u+rw,g’
! Try 'chmod --help' for more information.
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
