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
grep --color=foo x a | grep -c Usage
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
grep -f
grep -A
grep -A -1 o a
grep -C x o a
grep -m 1x o a
grep -m 1k o a
grep -A 1k o a
grep -m -5 o a
grep --context o a
grep --context=1 tw a
grep --context=x tw a
grep -A 99999999999999999999 tw a
grep -m 99999999999999999999 o a
grep -5x o a
grep -1 -2 three a
grep -12 three l10
grep -1v three a
grep -n1 three a
grep --foo o a
grep --co o a
grep --colour=always o a
grep --color o a
grep --file=pats a
grep --ignore-case O a
grep --no-filename o a a2
grep --with-filename o a
grep --only-matching o a
grep --quiet o a; echo $?
grep --silent zz a; echo $?
grep --files-with-matches o a c
grep --files-without-match o a c
grep --count o a
grep --max-count=1 o a
grep --line-number o a
grep --byte-offset o a
grep --initial-tab -n o a
grep --null -l o a
grep --null-data o a
grep --text o bin
grep --fixed-strings 'o' a
grep --no-messages o nofile; echo $?
grep --before-context=1 three a
grep --after-context=1 three a
grep --before-context 1 three a
grep --binary o a
grep --directories=skip o d
grep --directories=foo o d
grep -d foo o d
grep --devices=skip o a
grep --devices=foo o a
grep -D foo o a
grep --binary-files=foo o a
grep -E -F o a
grep -P -E o a
grep -P -F o a
grep -E -P o a
grep -G -E 'o+' a
grep -X o a
grep -q o a nofile; echo $?
grep -s o nofile a; echo $?
grep -qs zz nofile a; echo $?
grep -l o nofile a; echo $?
grep -L o nofile a; echo $?
grep -L o a; echo $?
grep -L zz a; echo $?
grep -L o a c; echo $?
grep -l zz a; echo $?
grep -c zz a; echo $?
grep -cv o a; echo $?
grep -s o d; echo $?
grep o d a; echo $?
grep -h o a c
grep -H o - < a
grep -c o - a < c
grep --label=foo -c o - a < a
grep --label=foo o < a
grep -l o < a
grep -L zz < a
grep -L --label=x zz < a
cat a | grep o
cat a | grep -n o -
cat a | grep -H o
cat bin | grep b
cat bin | grep -c b
cat bin | grep -a b
printf 'a\0b\n' | grep a
printf 'a\n\0b\n' | grep a
printf 'x\n\0b\n' | grep a
printf 'a\200b\n' | grep a
printf 'a\200b\nab\n' | grep a
printf 'ab\na\200b\n' | grep a
printf 'ab\na\200b\n' | grep -n a
printf 'a\200b\n' | grep -o a
printf 'a\200b\n' | grep -c a
printf 'a\200b\n' | grep -v x
printf 'a\200b\n' | grep 'a.b'
printf 'a\200b\n' | grep -a 'a.b'
printf 'a\200b\n' | grep -a 'a.*b'
printf 'a\200b\n' | grep -aP 'a.b'
printf 'a\200b\n' | grep -ao '[^x]*'
printf 'h\303\251\n' | grep -o .
printf 'h\303\251\n' | grep -ob .
printf 'h\303\251\n' | grep -c '^..$'
printf 'a\nb' | grep -z a
printf 'a\0b\0' | grep -z a | od -c
printf 'a\nc\0b\0' | grep -z '^c' | od -c
printf 'a\nc\0b\0' | grep -z 'a$' | od -c
printf 'a\nc\0b\0' | grep -zo 'a.c' | od -c
printf 'a\nc\0b\0' | grep -zP 'a\nc' | od -c
printf 'a\nc\0b\0' | grep -zoP '(?s)a.c' | od -c
printf 'a\nc\0b\0' | grep -zoP '^c' | od -c
printf 'a\nc\0b\0' | grep -zoP '(?m)^c' | od -c
printf 'a\nc\0b\0' | grep -zn b | od -c
printf 'a\nc\0b' | grep -zc '' 
printf 'a\r\nb\r\n' | grep 'a$'
printf 'a\r\nb\r\n' | grep -c 'a.$'
printf '' | grep ''; echo $?
printf '\n' | grep ''; echo $?
printf '\n' | grep -c '^$'
printf 'x' | grep -c .
grep '' empty; echo $?
grep -c '' empty
grep -v '' a; echo $?
grep -vc '' a; echo $?
grep -L '' empty
GREP_COLORS='mt=01;32' grep --color=always o a
GREP_COLORS='ms=01;32:mc=01;33' grep --color=always -C1 o a
GREP_COLORS='sl=1:cx=2' grep --color=always -C1 two a
GREP_COLORS='sl=1:cx=2:rv' grep --color=always -v -C1 two a
GREP_COLORS='sl=1:cx=2' grep --color=always -v -C1 two a
GREP_COLORS='fn=34:ln=33:bn=31:se=35' grep --color=always -HnbC1 two a
GREP_COLORS='ne' grep --color=always -Hn two a
GREP_COLORS='ne:mt=1' grep --color=always -o o a
GREP_COLORS='se=1' grep --color=always -C0 o a
GREP_COLORS='mt=' grep --color=always o a
GREP_COLORS='fn=' grep --color=always -H o a
GREP_COLORS='sl=' grep --color=always -H o a
GREP_COLORS='foo=1:mt=4' grep --color=always o a
GREP_COLORS='mt=x' grep --color=always o a
GREP_COLORS='mt' grep --color=always o a
GREP_COLORS='rv=1' grep --color=always o a
GREP_COLORS='' grep --color=always o a
GREP_COLORS=':mt=4' grep --color=always o a
GREP_COLORS='mt=4:' grep --color=always o a
GREP_COLOR='1;32' grep --color=always o a
GREP_COLOR='mt=1;32' grep --color=always o a
GREP_OPTIONS='-i' grep O a
grep --color=always '' a
grep --color=always '^' a
grep --color=always 'o*' a
grep --color=always -w o a
grep --color=always -x one a
grep --color=always -vn o a
grep --color=always -F -e o -e ne a
grep --color=always -E 'o|ne' a
grep --color=always -P 'o(?=n)' a
grep --color=always -i 'O' a
grep --color=always -nA1 two a
grep --color=always -B1 -H two a
grep --color=always -c o a c
grep --color=always -l o a c
grep --color=always -L o a c
grep --color=always -lZ o a
grep --color=always -o o a
grep --color=always -ob o a
grep --color=always -onH o a
grep --color=always -T -n o a
grep --color=always --group-separator='##' -A0 -e one -e four a
grep --color=always -m1 -A1 o a
grep --color=always -z o a
grep --color=always b bin
grep -e o -e e -o a
grep -eo -ee a
grep -on -e one -e o a
grep -o -b -n o a
grep -oH o a
grep -oc o a
grep -ov o a; echo $?
grep -om1 o a
grep -om2 e a
grep -m1 o a c a2
grep -c -m1 o a
grep -vm1 o a
grep -m1 -A1 o a
grep -m1 -A5 o a
grep -m1 -B1 t a
grep -m2 -C1 o a
grep -m1 -nA3 -v o a
grep -m1 o < a
(grep -m1 o; cat) < a
(grep -q o; cat) < a
(grep -l o; cat) < a
grep -A1 -e one -e four a
grep -B1 -e one -e four a
grep -A1 -n -e one -e three a
grep -C1 -n -e one -e five a
grep -A1 o a a2
grep -A1 -h o a a2
grep -A1 -e one a c a2
grep -nA1 --no-group-separator -e one -e four a
grep --group-separator=-- -A0 -e one -e four a
grep --group-separator= -A0 -e one -e four a
grep -A0 o a
grep -C0 -e one -e four a
grep -B0 -e one -e four a
grep -c -A1 one a
grep -l -A1 one a
grep -v -A1 one a
grep -A1 -B2 three l10 a
grep -A 1 three a
grep -A1 -A2 two a
grep -C2 -A0 three a
grep -A0 -C2 three a
grep -B1 -C0 three a
grep -w '' a
grep -wv '' a
grep -wc '' c
grep -w 'b*' b
grep -w 'a\|ab' b
grep -wE 'abc|abcd' b
grep -wo 'a*' b
grep -wE 'a|aa' b
grep -woE 'a|aa' b
grep -x 'aa aa' b
grep -xE 'aa|aa aa' b
grep -xE 'aa aa|aa' b
grep -xF -e aa -e 'aa aa' b
grep -wF a b
grep -woF -e a -e aa b
grep -wF 'b.c' b
grep -wF '' a
grep -xF '' c
grep -oF '' a
grep -oF -e one -e o a
grep -oF -e o -e one a
grep -oiF O a
grep -F 'a
b' b
grep -F '*' b
grep -F '[x]' b
grep -iF 'ABC' b
egrep 'o|e' a
egrep -c o a
egrep -x 'one|two' a
egrep
fgrep
egrep -e
egrep --foo
fgrep 'o' a
fgrep -x one a
fgrep -e o -e e a
fgrep 'a.b' b
fgrep -G 'o.' a
egrep -F 'o|e' a
fgrep -E 'o|e' a
egrep -P 'o(?=n)' a
egrep o nofile
fgrep o nofile
egrep o d
egrep '(' a
egrep 'a{2,1}' a
egrep '[' a
grep '\d' b
grep -E '\d+' b
grep -E '\D' b
grep -E 'a\,b' b
grep -E '\"q\"' b
grep -E '\<' b
grep 'a\{1,2' b
grep -E 'a{1,x}' b
grep '\(' b
grep '\)' b
grep -E ')' b
grep -E '(' b
grep -E '())' b
grep '[' b
grep -E '[[:space:' b
grep '[[:space:]' b
grep '[:space:]' b
grep '[[:foo:]]' b
grep '[[.foo.]]' b
grep '[[=ab=]]' b
grep '[b-a]' b
grep '\' b
grep -E '\' b
grep -P '\' b
grep -E 'a\' b
grep '**' b
grep '^*' b
grep -E '*' b
grep -E '**' b
grep -E '+' b
grep -E 'a|*b' b
grep -E '(*b)' b
grep -E '^*b' b
grep -E '?' b
grep -E '{1' b
grep -E '{1}' b
grep -E 'a{0}' b
grep -E 'a{1,2}{3}' b
grep -E '(a{1,2}){3}' b
grep -E 'x{70000}' b
grep '\1' b
grep -E '\1' b
grep -E '(a)\2' b
grep -E '(a)|\1' b
grep 'a\{1,2\}\{2\}' b
grep -E '[a-z]{2}[0-9]' b
grep -E 'a.?b' b
grep -E '^(a|f)' b
grep -E 'z$|d$' b
grep -E '[]a]' b
grep -E '[^]a]' b
grep -E '[a\]' b
grep -E '[\.]' b
grep -E '[a-]' b
grep -E '[-a]' b
grep -E '[$]' b
grep -E 'a\$b' b
grep -E 'a^b' b
grep -E 'a\^b' b
grep 'a\?b' b
grep 'a|b' b
grep -E 'a\|b' b
grep -E 'a\+' b
grep -E '\/' b
grep -E '\-' b
grep -E '\w+@\w+' b
grep -o '\w\+@\w\+' b
grep -E '\bhost\b' b
grep '\<host\>' b
grep '\`abc' b
grep "org\\'" b
grep -E '[[:digit:]]{2}\.' b
grep -x dash
grep -e '--long' dash
grep --long dash
grep -f pats -v a
grep -f pats -c a
grep -f pats -o a
grep -f pats -w a
grep -Ff pats a
grep -f empty -c a
grep -f list -f pats a
grep -f - a < pats
grep -f d a
grep -e o -f pats a
grep -ie ONE a
grep -ne one a
grep -ine ONE a
grep -A1e two a
grep o a -n
grep o -n a
grep -- o a -n
grep o a -e t
grep -Rl one d | sort
grep one d/lnkf
grep one d/broken
grep -d skip one d; echo $?
grep -d skip one d a; echo $?
grep -H one d/a.txt
grep -Hc one d/a.txt
grep -Z -c o a c
grep -ZH o a
grep -Zl o a a2
grep -Zn o a
grep -Tn o a
grep -Tb o a
grep -TH o a
grep -THn o a
grep -THnb o a
grep -Tc o a c
grep -To o a
grep -T -A1 two a
grep -TnA1 two a
grep -bn o a
grep -u o a
grep -U 'e$' crlf
grep 'e$' crlf
grep -c $'\r' crlf
grep -y O a
grep -I b bin; echo $?
grep -Ic b bin; echo $?
grep -IL zz bin; echo $?
grep -Il b bin; echo $?
grep -a b bin
grep -ao 'b.' bin
grep -ac b bin
grep b bin
grep -n b bin
grep -c b bin
grep -l b bin
grep -o b bin
grep -v zz bin
grep -q b bin; echo $?
grep -H b bin
grep b bin a
grep -s b bin
grep -A1 text bin
grep -m1 b bin
grep --binary-files=text b bin
grep --binary-files=without-match b bin
grep --binary-files without-match b bin
grep a f0
grep -c a f0
grep b f0
grep -o a f0
grep -oP -e '\d+' b
grep -oP -e '\D+' b
grep -oP -e '\w+(?=@)' b
grep -oP -e '(?<=@)\w+' b
grep -oP -e '(?<!a)b' b
grep -oP -e '(?!a)\w' b
grep -oP -e 'a(?!b)' b
grep -oP -e '(?<=\d)\.' b
grep -oP -e '\bfoo\b' b
grep -oP -e 'foo\Kbar' b
grep -oP -e 'foo\ \Kb' b
grep -oP -e '\w+\s\K\w+' b
grep -oP -e a++b b
grep -oP -e 'a*+a' b
grep -oP -e '(?>a+)b' b
grep -oP -e '(?:ab)+' b
grep -oP -e '(?<n>a)\k<n>' b
grep -oP -e '(?P<n>a)(?P=n)' b
grep -oP -e '(?'"'"'n'"'"'a)\k'"'"'n'"'"'' b
grep -oP -e '(?<n>.)\g{n}' b
grep -oP -e '(.)\g1' b
grep -oP -e '(.)\g{1}' b
grep -oP -e '(.)\g{-1}' b
grep -oP -e '(a)(?1)' b
grep -oP -e '(a(?1)?b)' b
grep -oP -e '(?i)ABC' b
grep -oP -e '(?i:A)bc' b
grep -oP -e 'a(?i)B' b
grep -oP -e '(?-i)A' b
grep -oP -e '(?x)a\ b' b
grep -oP -e '(?x)a#c' b
grep -oP -e '(?s).' b
grep -oP -e '(?m)^a' b
grep -oP -e '(?U)a+' b
grep -oP -e 'a+?' b
grep -oP -e 'a*?' b
grep -oP -e 'a??' b
grep -oP -e 'a{2}?' b
grep -oP -e 'a{1,}?' b
grep -oP -e '.*?b' b
grep -oP -e '.*?$' b
grep -oP -e '\Qa.b\E' b
grep -oP -e '\Q.\E' b
grep -oP -e '\Q[\Ex' b
grep -oP -e '\h+' b
grep -oP -e '\H+' b
grep -oP -e '\v' b
grep -oP -e '\V+' b
grep -oP -e '\R' b
grep -oP -e '\X' b
grep -oP -e '\N+' b
grep -oP -e '\N' b
grep -oP -e '\x41' b
grep -oP -e '\x{41}' b
grep -oP -e '\x{e9}' b
grep -oP -e '\o{101}' b
grep -oP -e '\101' b
grep -oP -e '\0' b
grep -oP -e '\cA' b
grep -oP -e '\e' b
grep -oP -e '\a' b
grep -oP -e '\f' b
grep -oP -e '\t' b
grep -oP -e '\n' b
grep -oP -e '\r' b
grep -oP -e '\z' b
grep -oP -e '\Z' b
grep -oP -e '\A' b
grep -oP -e '\G' b
grep -oP -e '\b' b
grep -oP -e '\B' b
grep -oP -e '\K' b
grep -oP -e '\C' b
grep -oP -e '\pL' b
grep -oP -e '\p{L}' b
grep -oP -e '\p{Lu}' b
grep -oP -e '\p{Ll}+' b
grep -oP -e '\PL' b
grep -oP -e '\P{L}' b
grep -oP -e '\p{^L}' b
grep -oP -e '\p{Han}' b
grep -oP -e '\p{Greek}' b
grep -oP -e '\p{N}' b
grep -oP -e '\p{Nd}+' b
grep -oP -e '\p{P}' b
grep -oP -e '\p{S}' b
grep -oP -e '\p{Z}' b
grep -oP -e '\p{Zs}' b
grep -oP -e '\p{Xan}' b
grep -oP -e '\p{Any}' b
grep -oP -e '\p{Foo}' b
grep -oP -e '\p{L' b
grep -oP -e '\pQ' b
grep -oP -e '[\d]+' b
grep -oP -e '[\w.]+' b
grep -oP -e '[^\d\s]+' b
grep -oP -e '[\pL]' b
grep -oP -e '[\x41-\x43]' b
grep -oP -e '[\b]' b
grep -oP -e '[\h]' b
grep -oP -e '[\Q.\E]' b
grep -oP -e '[[:alpha:]]+' b
grep -oP -e '[[:^alpha:]]+' b
grep -oP -e '[[:word:]]' b
grep -oP -e '[[:foo:]]' b
grep -oP -e '[a-\d]' b
grep -oP -e '[\d-z]' b
grep -oP -e '[a-z&&[b]]' b
grep -oP -e '(?(1)a|b)' b
grep -oP -e '(a)?(?(1)b|c)' b
grep -oP -e '(?(?=a)ab|cd)' b
grep -oP -e '(?(<n>)a|b)' b
grep -oP -e '(?(DEFINE)(?<x>a))(?&x)' b
grep -oP -e '(?|(a)|(b))\1' b
grep -oP -e '(*FAIL)' b
grep -oP -e '(*ACCEPT)' b
grep -oP -e 'a(*SKIP)(*F)|b' b
grep -oP -e '(*UTF8)a' b
grep -oP -e '(*UCP)\w' b
grep -oP -e '(*ANY).' b
grep -oP -e '(?#c)a' b
grep -oP -e 'a(?#c)b' b
grep -oP -e '(?=a*)a*' b
grep -oP -e '(?<=a|bc)d' b
grep -oP -e '(?<=a+)b' b
grep -oP -e '(?<=a{2})b' b
grep -oP -e '(?<!\w)\d+' b
grep -oP -e '(?<!^)a' b
grep -oP -e '^(?!a).*$' b
grep -oP -e '^(?=.*a)(?=.*b).*$' b
grep -oP -e '(?<year>\d+)\.(?<m>\d+)' b
grep -oP -e '\d{2,}(?!\d)' b
grep -oP -e '(\w)\1' b
grep -oP -e '(\w)(\w)\2\1' b
grep -oP -e '^(\w+)\s\1' b
grep -oP -e '(a|b)\1' b
grep -oP -e '(?:a|b)+?' b
grep -oP -e '[^\W\d_]+' b
grep -oP -e '\S+@\S+' b
grep -oP -e '\b\d{2}\b' b
grep -oP -e '(?<![\d.])\d+' b
grep -oP -e '"[^"]*"' b
grep -oP -e '"(.*?)"' b
grep -oP -e ''"'"'\w'"'"'' b
grep -oP -e '[^]]' b
grep -oP -e '[]]' b
grep -oP -e '[^]a]' b
grep -oP -e '[a-]' b
grep -oP -e '[]' b
grep -oP -e '[a' b
grep -oP -e '[' b
grep -oP -e '[z-a]' b
grep -oP -e '(' b
grep -oP -e ')' b
grep -oP -e '(a' b
grep -oP -e 'a)' b
grep -oP -e '*' b
grep -oP -e + b
grep -oP -e '?' b
grep -oP -e 'a**' b
grep -oP -e 'a{2,1}' b
grep -oP -e 'a{1}{2}' b
grep -oP -e '{1}' b
grep -oP -e 'a{,2}' b
grep -oP -e 'a{x}' b
grep -oP -e 'a{' b
grep -oP -e '\ a\ \1' b
grep -oP -e '(a)\2' b
grep -oP -e '\g{9}' b
grep -oP -e '\k<x>' b
grep -oP -e '(?<x' b
grep -oP -e '(?P<x>a)(?P<x>b)' b
grep -oP -e '(?z)' b
grep -oP -e '(?<1a>b)' b
grep -oP -e '(?P>x)' b
grep -oP -e '(?P=x)' b
grep -oP -e '(?&' b
grep -oP -e '(?1)' b
grep -oP -e '(?+1)' b
grep -oP -e '(?-1)' b
grep -oP -e '(?' b
grep -oP -e '(?:' b
grep -oP -e '(?<' b
grep -oP -e '(?<=' b
grep -oP -e '(*X)' b
grep -oP -e '\x{' b
grep -oP -e '\x{zz}' b
grep -oP -e '\x{110000}' b
grep -oP -e '\p' b
grep -oP -e '\c' b
grep -oP -e '\cé' b
grep -oP -e '\8' b
grep -oP -e '\9' b
grep -oP -e '\i' b
grep -oP -e '\j' b
grep -oP -e '\y' b
grep -oP -e '\L' b
grep -oP -e '\u' b
grep -oP -e '\U' b
grep -oP -e '\l' b
grep -oP -e '\_' b
grep -oP -e '\-' b
grep -oP -e '\@' b
grep -oP -e '\!' b
grep -oP -e '\é' b
grep -oP -e 'é' b
grep -oP -e 'É' b
grep -oP -e '(?i)É' b
grep -oP -e '[é-ë]' b
grep -oP -e '\xe9' b
grep -oP -e '.{3}' b
grep -oP -e '^.{4}$' b
grep -oP -e '^$' b
grep -oP -e '$^' b
grep -oP -e '^\s*$' b
grep -oP -e 'a|b' b
grep -oP -e 'a|ab|abc' b
grep -oP -e '(a|ab)(c|bcd)' b
grep -oP -e 'x*' b
grep -oP -e 'x*|a' b
grep -oP -e '||' b
grep -oP -e '|a' b
grep -oP -e 'a|' b
grep -oP -e '(|a)' b
grep -oP -e '()+' b
grep -oP -e '(a*)*' b
grep -oP -e '(a*)+' b
grep -oP -e '(a+)+$' b
grep -oP -e '(?:a?){3}a{3}' b
grep -oP -e '\d+(?:\.\d+){3}' b
grep -oP -e '[0-9]{1,3}(\.[0-9]{1,3}){3}' b
grep -oP -e '(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}' b
grep -oP -e '^[\w.]+@[\w.]+$' b
grep -oP -e '\w+@\w+\.\w+' b
grep -oP -e '\B\w' b
grep -oP -e '(?<=^|\s)\w+' b
grep -oP -e '(?<=\s|^)a' b
grep -oP -e '(?<!\S)a(?!\S)' b
grep -oP -e '(?=\w)' b
grep -oP -e '(?!\w)' b
grep -oP -e '\b(?=\w)' b
grep -oP -e 'a\Kb|c' b
grep -oP -e '(?=a\K)' b
grep -oP -e '^\K' b
grep -oP -e 'ab(?<=b)' b
grep -oP -e '(?<=(?<=a)b)c' b
grep -oP -e '(?s:.)' b
grep -oP -e '(?m:^)a' b
grep -oP -e '(?^)a' b
grep -oP -e '(?^i)A' b
grep -oP -e '(?ii)a' b
grep -oP -e '(?xx)[a\ b]' b
grep -oP -e '(?n)(a)' b
grep -oP -e '(?J)(?<n>a)(?<n>b)' b
grep -oP -e '(?aD)\d' b
grep -oP -e '\N{U+41}' b
grep -oP -e '\u0041' b
grep -oP -e '[[:<:]]a' b
grep -oP -e 'a[[:>:]]' b
grep -oP -e '[[:alpha:][:digit:]]+' b
grep -oP -e '[\s\S]+' b
grep -oP -e '[\d\D]' b
grep -oP -e '[^\s\S]' b
grep -oP -e '\p{Lu}\p{Ll}' b
grep -oP -e '\P{Lu}+' b
grep -oP -e '[\p{Lu}\d]+' b
grep -oP -e '[^\p{L}]+' b
grep -oP -e '\p{Latin}' b
grep -oP -e '\p{Cyrillic}' b
grep -oP -e '\p{sc=Greek}' b
grep -oP -e '\p{IsL}' b
grep -oP -e '\p{L&}' b
grep -oP -e '\p{Lu}|\d' b
grep -oP '\p{L}+' u
grep -oiP 'É' u
grep -oP '(*UCP)\w+' u
grep -oP '\w+' u
grep -zoP '(?s)two.*four' a
grep -zo 'two.three' a
grep -onEi 'one|two*|[a-z]*b|\>[^a]' b
grep -onE '\<(fo|foo)|bar\>' b
grep -onE '(a|ab)(c|bcd)|\<x' b
grep -nT '' < a
grep -bT '' a
grep -m1 -c '' bin
grep --color=x nofile | grep -c Usage
grep -A1-A1 two -A2 a
grep -m x -m1 o a
grep -D x -D skip o a
grep -d x -d read o a
grep --binary-files=x --binary-files=text b bin
grep -a --binary-files=binary b bin
grep -I -a b bin
grep -P '[[:\alpha:]]' a
grep -P '[[:a b:]]' a
grep -P '[[:a[:]]' a
grep '[[:word:]]' a
mkdir -p l/s; echo x > l/f; ln -s ../l l/m; ln -s .. l/s/up; grep -R x l 2>&1 | sort; grep -Rs x l; grep -Rl x l 2>/dev/null; grep -Rq nosuch l; echo $?
{ grep -m1 -A1 two; echo -; cat; } < a; { grep -m2 -A2 '[nw]'; echo -; cat; } < a; { grep -m1 -C1 three; echo -; cat; } < a; cat a | { grep -m1 -A1 two; echo -; cat; }
