"""tree: branches, levels and filters."""

import pytest

TRANSCRIPTS = {
    "trees": """
$ > d/a.txt 'hello'
$ > d/b/c.md ''
$ > d/b/e/f ''
$ > d/.hidden ''
$ mkdir d/z
$ ln -s a.txt d/link
$ chmod +x d/b/c.md
$ tree d
d
├── a.txt
├── b
│   ├── c.md
│   └── e
│       └── f
├── link -> a.txt
└── z

4 directories, 4 files
$ tree -a d
d
├── .hidden
├── a.txt
├── b
│   ├── c.md
│   └── e
│       └── f
├── link -> a.txt
└── z

4 directories, 5 files
$ tree -d d
d
├── b
│   └── e
└── z

4 directories
$ tree -L 1 d
d
├── a.txt
├── b
├── link -> a.txt
└── z

3 directories, 2 files
$ tree -f d
d
├── d/a.txt
├── d/b
│   ├── d/b/c.md
│   └── d/b/e
│       └── d/b/e/f
├── d/link -> a.txt
└── d/z

4 directories, 4 files
$ tree -F d
d/
├── a.txt
├── b/
│   ├── c.md*
│   └── e/
│       └── f
├── link -> a.txt
└── z/

4 directories, 4 files
$ tree -i d
d
a.txt
b
c.md
e
f
link -> a.txt
z

4 directories, 4 files
$ tree -P '*.txt' d
d
├── a.txt
├── b
│   └── e
└── z

4 directories, 1 file
$ tree -I 'b|z' d
d
├── a.txt
└── link -> a.txt

1 directory, 2 files
$ tree -P '*.txt' --prune d
d
└── a.txt

1 directory, 1 file
$ tree --noreport d/b
d/b
├── c.md
└── e
    └── f
$ tree -s d/b
[       4096]  d/b
├── [          0]  c.md
└── [       4096]  e
    └── [          0]  f

2 directories, 2 files
$ tree -p d/b
[drwxr-xr-x]  d/b
├── [-rwxr-xr-x]  c.md
└── [drwxr-xr-x]  e
    └── [-rw-r--r--]  f

2 directories, 2 files
$ tree -r d
d
├── z
├── link -> a.txt
├── b
│   ├── e
│   │   └── f
│   └── c.md
└── a.txt

4 directories, 4 files
$ tree --dirsfirst d
d
├── b
│   ├── e
│   │   └── f
│   └── c.md
├── z
├── a.txt
└── link -> a.txt

4 directories, 4 files
$ tree -J d/b
[
  {"type":"directory","name":"d/b","contents":[
    {"type":"file","name":"c.md"},
    {"type":"directory","name":"e","contents":[
      {"type":"file","name":"f"}
    ]}
  ]}
,
  {"type":"report","directories":2,"files":2}
]
$ tree nope
nope  [error opening dir]

0 directories, 0 files
[2]
$ tree -L 0 d
! tree: Invalid level, must be greater than 0.
[1]
$ tree d/b d/z
d/b
├── c.md
└── e
    └── f
d/z

2 directories, 2 files
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
