grep o a
grep -n o a
grep -c o a
grep -v o a
grep -vn o a
grep -vc o a
grep -i TWO a
grep -w two a
grep -w o a
grep -x two a
grep -xv two a
grep -l o a b c
grep -L o a b c
grep -lv o a b
grep -h o a b
grep -H o a
grep o a b
grep -c o a b c
grep -q o a; echo $?
grep -q zzz a; echo $?
grep zzz a; echo $?
grep -s zzz nofile; echo $?
grep o nofile; echo $?
grep -q o nofile a; echo $?
grep -o o a
grep -on o a
grep -ob o a
grep -b o a
grep -oi 'T[a-z]' a
grep -m1 o a
grep -m2 -n o a
grep -m1 -c o a
grep -m0 o a
grep -A1 two a
grep -B1 two a
grep -C1 three a
grep -1 three a
grep -A1 -B0 -n o b
grep -n -A1 'one\|four' a
grep --no-group-separator -A0 'one\|four' a
grep --group-separator=XX -A0 'one\|four' a
grep -A1 -c o a
grep -A1 -m1 o a
grep -v -A1 o a
grep -A1 o a c
grep -e one -e two a
grep -e one -f pats a
grep -f pats a
grep -f empty a
grep -vf empty a
grep -F '.' b
grep -F 'a.c' b
grep -F -e a -e . b
grep -Fx 'a.c' b
grep -Fw ab b
grep -Fi ABC b
grep -E 'a|b' b
grep -E 'a+' b
grep -E '(ab)+c' b
grep -E 'a{2,}' b
grep -E '^(a|b)' b
grep -E 'a?b' b
grep -E '()' a
grep -E 'a||b' b
grep 'a\|b' b
grep 'a\+' b
grep 'a\{2,\}' b
grep '^a' b
grep 'c$' b
grep '^$' c
grep -c '' a
grep '' c
grep '.' c
grep 'a.c' b
grep 'a\.c' b
grep '[0-9]' b
grep '[[:digit:]]\+' b
grep '[^a-z]' b
grep '[]]' b
grep '[a-]' b
grep '[[:upper:][:digit:]]' b
grep '\bab' b
grep '\Bc' b
grep '\<a' b
grep 'c\>' b
grep '\w\W\w' b
grep '\s' b
grep '\S' b
grep -E '(.)\1' b
grep '\(.\)\1' b
grep -E '^(.*) \1$' b
grep -E '\.' b
grep '*' b
grep '\*' b
grep -E '*a' b
grep 'a*' b
grep '\(a' b
grep -E '(a' b
grep -E 'a)' b
grep 'a\)' b
grep '[a' b
grep -E 'a{1' b
grep -E 'a{1,2' b
grep 'a\{1' b
grep -E '[[:foo:]]' b
grep '[:digit:]' b
grep -P '\d+' b
grep -P 'a(?=b)' b
grep -P '(?<=a)b' b
grep -oP '\d+' b
grep -oP '(?<=a)\w' b
grep -oP 'a\Kb' b
grep -P '^\w+$' b
grep -P 'a.*?b' b
grep -oP '(?i)ABC' b
grep -P '(?<n>a)\k<n>' b
grep -P '\bab\b' b
grep -P '[\d.]+' b
grep -P 'a++b' b
grep -P '(?:ab)+' b
grep -P '\x61' b
grep -P '\p{L}' u
grep -oP '"\K[^"]+' b
grep -oE '[a-z]+' b
grep -o 'a*' b
grep -ow 'a\w*' b
grep -on '[0-9]' b
grep -c '[0-9]' b
grep -r o d
grep -rn o d
grep -rl o d | sort
grep -rc o d | sort
grep -rh o d | sort
grep -r o . | sort
grep -r o --include='*.txt' . | sort
grep -r o --exclude='*.txt' d | sort
grep -r o --exclude-dir=sub d | sort
grep -rL o d | sort
grep -R o d | sort
grep -d skip o d a
grep -d recurse o d | sort
grep o d; echo $?
grep -rw two d | sort
grep -Z -l o a b | tr '\0' ,
grep -z o z | tr '\0' ,
grep -zc . z
grep -zo 'b' z | tr '\0' ,
grep -a x bin
grep x bin
grep -c x bin
grep -I x bin
grep -l x bin
grep -v zzz bin
grep --binary-files=text x bin
grep --binary-files=without-match x bin
grep -T o a
grep -nT o a
grep -nb o a
grep --label=foo -H o < a
grep -H o < a
grep o -
grep -n o - < a
cat a | grep -c o
grep --color=always o a
grep --color=always -n o a
grep --color=always -o o a b
grep --color=always -v o a
grep --color=always -A1 two a
grep --color=auto o a
grep -y TWO a
grep --no-ignore-case -i TWO a
grep -i é u
grep -i É u
grep -o . u
grep 'h.llo' u
grep -c . u
grep -E '^.{5}$' u
grep --line-buffered o a
grep -U o a
grep --null -c o a b | tr '\0' ,
grep -nv '' a; echo $?
grep -e '' a
grep -E ^ a
grep -E '$' a
grep '^^' a
grep 'a^b' b
grep 'a$b' b
grep -E 'a$|b' b
grep -x '' c
grep -w '' c
grep -w '.*' b
grep -wo '[a-z]*' b
grep -c -v '' empty; echo $?
grep x empty; echo $?
grep -L x empty
grep -l x empty; echo $?
grep
grep -E
grep --nosuch x a
grep -j x a
grep -m
grep -m x o a
grep -A x o a
grep -C -1 o a
grep -e
grep -f nofile a
grep --binary-files=foo x a
grep --color=foo x a
grep -d foo x a
grep -E -F 'a.c' b
grep -P -E 'a+' b
grep -EF 'a+' b
grep -nH o a
grep -no o a b
grep -hn o a b
grep -c o nofile a
grep -ci TWO a
grep -io 'o' a | sort | uniq -c
grep -5 o a
grep -n5 o a
grep -A 1 -e one -e four a
grep -- -x dash
grep -e -x dash
grep '\-x' dash
grep -F -- --long dash
grep "it's" dash
grep '"' b
grep '\\' b
grep -F '\' b
grep -F '[' b
grep '\[' b
grep '{' b
grep -E '\{' b
grep -E '{' b
grep '|' b
grep -E '\|' b
grep -E 'foo|bar|baz' b
grep -wE 'foo|bar' b
grep -cE 'foo|bar' b
grep -oE '(foo|bar)' b
grep -oE '[0-9]{1,3}(\.[0-9]{1,3})+' b
grep -oE '[[:alnum:]._]+@[[:alnum:].]+' b
printf 'a\nb' | grep b
printf 'a\nb' | grep -c ''
printf 'a\n\nb\n' | grep -n '^$'
printf 'x' | grep -v x; echo $?
printf 'ab\nabc\n' | grep -x 'ab\|abcd'
printf 'foobar\nfoo bar\n' | grep -w foo
printf 'foo_bar\nfoo-bar\n' | grep -w foo
printf 'a b\n' | grep -o '[^ ]*'
printf 'one\r\ntwo\r\n' | grep 'one$'; echo $?
printf 'tab\there\n' | grep -P '\t'
printf '1\n22\n333\n' | grep -E '^[0-9]{2,}$'
printf 'aXbX\n' | grep -o 'X' | wc -l
printf 'abcabc\n' | grep -ob 'b'
printf 'é1\né2\n' | grep -ob '[0-9]'
seq 20 | grep -n -C1 '^1[05]$'
seq 20 | grep -m3 1
seq 1000 | grep -c 7
seq 100 | grep -E '^(.)\1$'
egrep 'a|b' b
fgrep 'a.c' b
