sed p a
sed -n p a
sed -n 2p a
sed -n '2,4p' a
sed -n '$p' a
sed -n '$!p' a
sed '2d' a
sed '2,$d' a
sed '2!d' a
sed '/two/d' a
sed '/two/,/four/d' a
sed '/two/,+1d' a
sed '2,~3d' a
sed '0~2d' a
sed '1~3d' a
sed '2~0p' a
sed '0,/o/d' a
sed '1,/o/d' a
sed '/one/,/one/d' a
sed '3,2p' a
sed '2,/one/p' a
sed '/TWO/Id' a
sed '\,two,d' a
sed '\xtwoxd' a
sed 's/o/0/' a
sed 's/o/0/g' a
sed 's/o/0/2' a
sed 's/o/0/2g' b
sed -n 's/o/0/p' a
sed -n 's/o/0/gpw out' a; cat out
sed 's/O/0/I' a
sed 's/O/0/gi' a
sed 's/.*/[&]/' a
sed 's/\(.\)\(.\)/\2\1/' a
sed -E 's/(.)(.)/\2\1/' a
sed -r 's/(o|e)+/<&>/g' a
sed 's/o/\n/' a
sed 's/o/a\tb/' a
sed 's/o/\x41/' a
sed 's/o/\o101/' a
sed 's/o/\d065/' a
sed 's/o/\&/' a
sed 's/o/\//' a
sed 's|o|/|' a
sed 's,o,\,,' a
sed 's/.*/\U&/' a
sed 's/.*/\u&/' a
sed 's/\(.*\)/\L\u\1x/' a
sed -E 's/(.)(.*)/\U\1\E\2/' a
sed -E 's/(\w+) (\w+)/\u\1 \U\2\E!/' b
sed 's/\b/|/g' b
sed 's/\</</g' b
sed 's/\>/>/g' b
sed 's/\B/-/g' b
sed 's/\w/W/g' b
sed 's/\W/_/g' b
sed 's/\s/_/g' b
sed 's/\S/x/3' b
sed 's/x*/-/g' b
sed 's/b*/X/2' b
sed 's/^/> /' a
sed 's/$/ </' a
sed 's/^a*//' b
sed '/^$/d' c
sed 's/[aeiou]//g' a
sed 's/[^aeiou]//g' a
sed 's/[[:upper:]]/U/g' b
sed 's/[[:digit:]]\{2,\}/N/g' b
sed -E 's/[0-9]{2,3}/N/g' b
sed 's/[]]/x/;s/[a-]/y/' b
sed 's/a\|b/X/g' b
sed 's/a\+/X/g' b
sed 's/a\?/X/g' b
sed -E 's/^(.*)\n(.*)$/\2\1/' a
sed = a
sed -n '$=' a
sed -n '/o/=' a
sed 'a\text' a
sed '2a text with  spaces' a
sed '2i\  lead' a
sed '2c\changed' a
sed '2,3c\changed' a
sed '$!N;c\x' a
sed '2,3!c\x' a
sed '/two/a\l1\nl2' a
sed -e '2a\' -e 'first\' -e 'second' a
sed '1i one' a
sed '$a end' a
sed 'a\' a
sed '2{p;p}' a
sed -n '2{p;p;}' a
sed '/one/{s/one/1/;n;s/two/2/}' a
sed 'n;d' a
sed 'N;s/\n/+/' a
sed '$!N;s/\n/+/' a
sed -n 'N;N;s/\n/,/gp' a
sed ':a;N;$!ba;s/\n/,/g' a
sed -n '$!{h;d};H;x;p' a
sed -n 'H;${x;s/\n/,/g;p}' a
sed '1!G;h;$!d' a
sed 'G' a
sed 'x;p;x' a
sed -n 'x;p' a
sed 'N;P;D' a
sed '$!N;P;D' a
sed '$!N;/^\(.*\)\n\1$/!P;D' c
sed ':a;s/^\(x*\)o/\1x/;ta' a
sed 's/o/0/;t;s/$/ none/' a
sed 's/o/0/;T;s/$/ yes/' a
sed -e ':l' -e 's/a/b/' -e 'tl' b
sed 'b;d' a
sed '/two/b e;s/^/-/;:e' a
sed '2q' a
sed '2q5' a; echo $?
sed '2Q' a
sed '2Q7' a; echo $?
sed -n '2{p;q}' a
sed 'y/abc/xyz/' b
sed 'y/a\/b/1\n2/' b
sed 'y/é/e/' u
sed 's/é/e/' u
sed 's/./X/g' u
sed -n l u
sed -n l b
sed -n 'l 20' long
sed -l 30 -n l long
sed -n 'l 1' long
sed 'r a' c
sed '2r a' c
sed '$r a' c
sed 'r nofile' a
sed '/two/r /dev/stdin' a < c
sed 'R c' a
sed 'w out' a; cat out
sed -n '/o/w out' a; cat out
sed '/two/w /dev/stdout' a
sed 'z;s/^$/empty/' a
sed 'F' a
sed -n '1F;2F' a c
sed '1d' a c
sed -s '1d' a c
sed -n '$p' a c
sed -sn '$p' a c
sed -i 's/o/0/' a; cat a
sed -i.bak 's/o/0/' a; cat a a.bak
sed -i'bak_*' 's/o/0/' a; ls
sed -n -i p a; cat a
sed -i '$d' a c; cat a c
sed --in-place=.orig 2d a; ls; cat a
sed -z 's/\n/,/g' a
sed -z 's/^t/X/mg' a
sed 'N;s/^t/X/M' a
sed -n 'N;N;s/e$/E/Mgp' a
sed -E 's/(a)(b)?/[\1\2]/g' b
sed -E 's/a|ab/X/' b
sed -E 's/(a|ab)(c|bcd)?/[\1|\2]/' b
sed -E 's/(.)\1/<\1>/g' b
sed 's/\(a*\)*/x/' b
sed -e p -e d a
sed -f s.sed a
sed -n -f s.sed a
sed --expression=p --quiet a
sed -nf s.sed a
sed '#n' a
sed '#nop' a
sed '#n
p' a
sed 's/a/b/ ; s/b/c/' b
sed '1,3{/two/d}' a
sed '/one/,/three/{//!d}' a
sed 's//X/' a
sed '/o/s//0/g' a
sed 's/o/&&/w /dev/stderr' a
sed -u 2q a
sed --posix 's/a\|b/X/' b
sed '2,4!s/^/#/' a
sed '2 , 4 p' a
sed '  2  p  ' a
sed -n '/two/{=;p}' a
sed 's/two/&\
more/' a
sed 's/\./,/g' b
sed 's/a.c/X/' b
sed 's/[.]/,/' b
sed 's/\[/(/' b
sed 's/\*/+/' b
sed 's/*/+/' b
sed -E 's/\+/p/' b
sed 's/^*a/X/' b
sed -E 's/()/x/' a
sed -E 's/a{2}/X/' b
sed -E 's/a{,2}/X/' b
sed -E 's/a{2,}/X/' b
sed 's/\n//' a
sed 'N;N;N;N;N;N;l' a
sed -n '/two/,${p}' a
sed '/nomatch/,$d' a
sed '2,1d' a
sed '5,2d' a
sed '0,/one/s/one/1/' a
sed '0,3d' a
sed '0p' a
sed '3,1!d' a
sed p nofile a
sed p nofile; echo $?
sed k a
sed 's/a/b' a
sed 's/a' a
sed 's/\(a/b/' a
sed 's/a)/b/' a
sed -E 's/(a/b/' a
sed 's/a/\1/' a
sed 'y/ab/c/' a
sed '{p' a
sed 'p}' a
sed 'b nolabel' a
sed ':' a
sed '2,p' a
sed ',2p' a
sed '/a' a
sed 'pp' a
sed 's/a/b/gg' a
sed 's/a/b/pp' a
sed 's/a/b/0' a
sed 's/a/b/x' a
sed '1!!p' a
sed 'a' a
sed 'r' a
sed '1,2=' a
sed '1,2q' a
sed 'dp' a
sed -n a
sed
sed --nosuch p a
sed -x p a
sed -e
sed -f nofile a
sed '}' a
sed '3i\
  multi\
line' a
sed 'i\' a
sed '1~2{N;s/\n/ /}' a
sed 's/a/x/;ta;s/b/y/;:a' b
sed 's/\t/TAB/' b
sed 's/ \+$//' b
sed -n '/a/I{p}' b
sed '/x/!s/a/A/' b
sed 's/\([^ ]*\) \([^ ]*\)/\2 \1/' b
sed -E 's#([a-z]+)/([a-z]+)#\2/\1#' b
sed 's/a/[\n]/g' b
sed 's/.\{3\}/&|/g' b
sed 's/\(foo\|bar\)/<\1>/' b
sed "s/'/\"/g" b
sed '$s/$/\n/' a
printf 'a\nb' | sed p
printf 'a\nb' | sed -n '$='
printf 'a\nb' | sed 'a x'
printf 'a\nb' | sed '$!d'
printf 'a\nb' | sed G
printf '' | sed p
printf '\n' | sed 's/^$/e/'
printf 'a\0b\0' | sed -z 's/^/x/' | tr '\0' ,
printf 'a\nb\n' | sed '1{h;d};G'
printf 'x=1\ny=2\n' | sed 's/\(.*\)=\(.*\)/\2=\1/'
printf 'aaa\n' | sed 's/a/b/3'
printf 'aXbXc\n' | sed 's/X/\n/g'
printf 'hello world\n' | sed -E 's/(^|[^a-z])([a-z])/\1\u\2/g'
printf 'one two\n' | sed 's/\(one\) \(two\)/\2\n\1/'
printf 'a,b,c\n' | sed 's/,/\t/g'
printf '/usr/bin\n' | sed 's/\//:/g'
printf 'aa bb\n' | sed 's/\(.\)\1/(&)/g'
printf '12345678\n' | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta'
printf 'abc\n' | sed 's/\(a\)\(b\)\(c\)/\3\2\1/'
printf 'tEsT\n' | sed 's/.*/\L&/; s/[a-z]*/\u&/'
printf 'a b\n' | sed 's/a b/\x26/'
printf 'a^b\n' | sed 's/\^/x/;s/a\x5eb/y/'
printf 'x\n' | sed 's/x/a\
b/'
printf 'key: v\n' | sed -n 's/^key:[[:space:]]*//p'
sed -i 2q a; cat a
sed -i 2q a c; cat a c
sed -i 2q5 a c; echo $?; cat a c
sed -i n a c; cat a c
sed -i N a c; cat a c
sed -n -i '2{p;q}' a; cat a
sed -i '2!{p;q}' a; cat a
sed -s -i.b '1d;$d' a c; cat a c a.b
sed --in-place 1d a; cat a
sed -i d a; cat a; wc -c a
sed -i '' a
sed -i -e p nofile; echo $?
sed -i p d; echo $?
sed -i p d a; echo $?; cat a
sed p d; echo $?
sed p d a; echo $?
sed p nofile a; echo $?
sed -n '$p' a nofile
sed -n '$p' a nofile c nofile
sed -i 's/o/0/w out' a c; cat out a
sed -i.bak/x p a
sed -i'bak/*' p a; ls
sed -ibak p a; ls a*; cat abak
sed -Ei p a; cat a
sed -iE p a; ls
sed -i -n p a; cat a
sed -ni p a; cat a
sed -in p a; ls an
sed -s -n '$=' a c
sed -s -n '$=;F' a c
sed '$!d' a c
sed -s '$!d' a c
sed -i p
sed -i p -
sed -s p -
sed --ver | head -1
sed -l x p a
sed -l 5 l a
sed -l 0 l a
sed -l 1 l a
sed -l -1 l a
sed --line-length=5 -n l a
sed --quiet p a
sed --silent p a
sed --quie p a
sed --se p a
sed --regexp-extended 's/(o)/[\1]/' a
sed --expression=p a
sed --expression p a
sed --expr=p a
sed --file=s.sed a
sed -fs.sed a
sed -f s.sed -e p a
sed -e p -f s.sed a
sed -e 'a\' -e foo a
sed -e 'a\' -e 'foo\' -e bar a
sed -e 'a foo' -e 'a bar' a
sed -e 'a\' a
sed -e 'i\' -e '  foo' a
sed -e 's/o/\' -e '/' a
sed -e 's/a/' -e 'b/' a
sed -e 'y/a/' -e 'b/' a
sed -e '{' -e p -e '}' a
sed -e '{' -e p a
sed -e p -e '}' a
sed -e p -e k a
sed -e p -e 's/a' a
sed -e 'p;p' -e 'b x' a
sed -e '1{' -e 'a x' -e '}' a
sed -e '/o/' -e p a
sed -e '1,' -e 3p a
sed -e 'r c' -e p a
sed -e 'w out' -e p a; cat out
sed -e : -e p a
sed -e ':x' -e 'bx2' a
sed -e 'b' -e p a
sed -e '' a
sed '' a
sed '' nofile
sed -n '' a
sed -e '#n' -e p a
sed -e p -e '#n' a
sed p < a
sed - a
sed -- p a
sed p -- a
sed p a -n
sed a -n p
sed -n -e p -- a
sed -E 's/(a|o)/[\1]/g' a -n
sed --posix 's/o\+/x/' a
sed --posix 's/o\?/x/' a
sed --posix 's/\(o\|e\)/x/' a
sed --posix -E 's/o+/x/' a
sed --posix -E 's/(o|e)?/x/' a
sed --posix 's/[\n]/x/' a
sed --posix 's/o/\n/' a
sed --posix 's/o/\t/' a
sed --posix 's/o/\x41/' a
sed --posix 's/\x6f/A/' a
sed --posix 's/\w/x/' a
sed --posix 's/\bo/x/' a
sed --posix 's/.*/\U&/' a
sed --posix 'y/o/\n/' a
sed --posix 'F' a
sed --posix 'z' a
sed --posix 'W x' a
sed --posix 'R x' a
sed --posix 'Q' a
sed --posix 'q5' a
sed --posix '0~2p' a
sed --posix '2~2p' a
sed --posix '0,/o/p' a
sed --posix '2,~2p' a
sed --posix '1!G;h;$!d' a
sed --posix 'N;N;N' a
sed --posix '$!N;P;D' a
sed --posix ':a;N;$!ba;s/\n/,/g' a
POSIXLY_CORRECT=1 sed 'n;d' a
POSIXLY_CORRECT=1 sed 'n' a
sed --posix n a
sed -s 'x' a c
sed -i x a c; cat a c
sed --debug p a
sed --debug -n 'h;x;G;H;g;z' a
sed --debug '1!{/o/I,$s/a\(b\)/X\1\n&\U\t/gpw out
y/abc/def/
a hello\
world
i\
  foo
};:lab
tlab;b;2q5;Q;l 5;l;r foo
R bar
w baz
W qux
=;d;D;g;G;h;H;n;N;p;P;x;z;F;#comment
' a
sed --debug -E 's/(o)/[\1]/2Ig;0,/x/p;2~3p;2,~4p;1,+2p;$!d;/a\/b/M,5{p}' a
sed --debug '$!N;P;D' a
sed --debug '2q' a
sed --debug 'n;d' a
sed --debug ':a;s/x/y/;ta;b end;p;:end' a
sed --debug '{p;{p}}' a
sed --debug 's/o/x/g;s/\(b\)\(q\)*/\1/;s/x\{1,2\}/y/2p' b
sed --debug -i p a; cat a
echo hi | sed --debug p
sed --debug -s F a c
sed --debug 'N;N;s/\n/+/;c\' a
sed --debug -n '$=' a
sed --debug 's/o/0/;t;s/$/ none/' a
sed --debug '0,/o/d' a
sed --debug 'y/abc/xyz/;s/[/\]/-/g' b
sed --debug "s/é/e/" u
sed --debug -n '/one/{n;p}' a
sed -s -n '$p;1p' a c a2
sed -s 'N;N;s/\n/,/g' a c
sed -s '1,/e/d' a c a2
sed -s '2,4{=}' a a2
sed -s ':a;$!{N;ba};s/\n/,/g' a c a2
sed -i ':a;$!{N;ba};s/\n/,/g' a c a2; cat a c a2
sed -i -s '$a end' a c; cat a c
sed -i '1i start' a c; cat a c
sed -i 'n;d' a a2; cat a a2
sed -s 'n;d' a a2
sed -s '$!N;s/\n/-/' a a2
sed -s '$!d' a a2 c
sed -s '0,/o/d' a a2
sed -s 'H;$!d;x;s/\n/,/g' a a2
sed -s 'R c' a a2
sed -s '2q' a c
sed -s '$r c' a a2
sed -s 'F' a c - < a2
sed -n -s '/o/{=;F;p}' a a2
sed -n -s '$=' a c empty a2
sed -s -n '$p' empty a
sed -n '$p' a empty
sed '$d' a empty
sed -i '$d' empty a; cat empty a
sed 'r c' empty
sed '0r c' empty
sed '0r c' a
sed '0r c' a a2
sed -s '0r s1' a a2
sed -n '0r c' a
sed '0r c
1d' a
sed -i '0r s1' a; cat a
sed 'v 4.2' a
sed 'v 4.9' a
sed 'v 5.0' a
sed ':a}' a
sed ':a};p' a
sed '{:a};p' a
sed 'b a}' a
sed 'ba p;:a' a
sed 's/a*\{2\}/b/' a
sed 's/[a]**/y/' a
sed 's/x\?\?/y/' a
sed 's\n\x\' a
sed 'y\o\x\' a
sed 's\\\x\' a
sed '/o/ I p' a
sed '//I' a
sed '/o/;p' a
sed '1;p' a
sed '/o/ ;p' a
sed -e 'a\' -f pats a
sed -e '1' -e p a
sed -e '/o' -e '/p' a
sed -e '1!' -e p a
sed -e 'a foo\' a
sed -e 'a foo\' -e 'bar\' -e baz a
sed -e 'i\' -e '  two' a
sed -e '1{i\' -e '  two' -e '}' a
sed 's/[
]/x/' a
sed 's/[[:alpha:/]x/y/' a
sed 's/[a[.]/x/' a
sed 's/[[.].]/]/x/' b
sed --posix 's/\(o\)/\2/' a
sed --posix 's/o\)/x/' a
sed --posix -E 's/o)/x/' a
sed --posix 's/\<o/x/' a
sed --posix 's/o/\U&\n\t/;s/e/a\
b/' a
sed --posix 's/[\t[:alpha:]]/x/g' t
sed --posix 's/[^]\n]/x/' a
sed --posix 's/\[\n]/x/' a
sed --posix 'i\
x' a
sed --posix 'a\
x\' a
sed --posix -e 'a\' -e 'x' a
sed -i -e '$!N;P;D' a; cat a
sed -i 's/x/y/w out' a c; cat out
sed -i -e w\ out a c; cat out
sed -n -i.orig '1p' a; cat a a.orig
sed -i 2Q3 a; echo $?; cat a
sed 's/\x5e/b/' b
sed 's/a\x2ec/X/g' b
sed -E 's/\x2a/[&]/g' b
sed 's/\x5b/[&]/' b
sed 's/[\x5e]/X/' b
sed 's/\x26/[&]/;s/b/\x26/' b
sed 's/h\xc3\xa9/he/' u
sed 's/\x80/Y/' bin
printf 'a\200b\n' | sed 's/./X/g' | od -c
printf 'a\200b\n' | sed 's/[^a]/X/g;s/a.*/Y/' | od -c
printf 'a\200b\n' | sed -n '/a.b/p;/\x80/p' | od -c
sed 'N;N;s/[^a]/[&]/Mg' b
sed 'N;N;s/./[&]/Mg' b
sed 'N;N;s/^.*$/[&]/M2' b
sed -n 'l 1' u
sed -n 'l 7' u
sed -zn 'l 20' b
sed -n '2,~2p' a
sed -n '/t/,~2p' a a2
sed '/t/,+1n;d' a a2
sed '/t/,+1{N;s/\n/+/}' a a2
sed '2,3{N;N;s/$/ X/}' long a
sed 's|b|\c\\|' b
sed -E 's/c?|.*|\</<&>/2' b
sed -E 's/\<(a|ab|abc)/<&>/g' b
sed -E 's/([a-z]+|[a-z]+ [a-z]+)\>/<\1>/' b
sed -E 's/(.)\1/<\1>/g' b
sed -E 's/(a|ab)(c|bcd)\>/<\1|\2>/g' b
sed 's/.*/\U&ß/' u
printf 'a' | sed -n P
printf 'a\nb' | sed -n 'P'
printf 'x' | sed q
printf 'a\nx' | sed '2q'
printf 'x' | sed -n '1{p;q}'
printf 'x' | sed -n '1{p;Q}'
printf 'x' | sed -z q
printf 'x' | sed 'N;q'
seq 10 | sed -n '2{N;N;};3,5p'
seq 10 | sed -n '2{N;N;N;N;N};3,5p'
seq 10 | sed -n '2{N;N;};3,/7/p'
seq 10 | sed -n '5,$!d;3,6p'
seq 10 | sed -n '5,$!d;3,/8/p'
seq 10 | sed -n '5,$!d;3,4p'
seq 10 | sed -n '5,$!d;3,+1p'
seq 10 | sed -n '5,$!d;3,~4p'
seq 10 | sed -n '5,$!d;1~0,7p'
seq 20 | sed -n '5,$!d;3,6p;10,12!d;8,11s/^/x/p'
printf '%s\n' x a2 a3 a4 a5 a6 | sed -n '3d;/a/,3p'
printf '%s\n' x a2 x3 x4 a5 a6 | sed -n '3,4d;/a/,4p'
printf '%s\n' x a2 a3 x4 x5 a6 a7 | sed -n '/a/{2~2,4p}'
printf '%s\n' x a2 x3 x4 x5 x6 x7 a8 | sed -n '3,5d;/a/,+1p'
printf '%s\n' x a2 x3 x4 x5 a6 x7 a8 | sed -n '3,5d;/a/,~4p'
printf 'x' | sed G
printf 'a\nx' | sed 'H;$G'
printf 'a\nx' | sed 'H;$!d;x'
printf 'a\nx' | sed 'x;G'
printf 'a\nx' | sed 'H;x;s/\n/,/g'
printf 'a\nx' | sed -n 'H;${x;p}'
printf 'a\nx' | sed -n 'H;${g;p}'
printf 'a\nx' | sed '1h;2G'
printf 'a\nx' | sed '$!H;$G'
sed '/o/{s/e/E/;s/o/0/}' a
sed -n '/o/{s/e/E/;p}' a
sed -n 's/e/3/;/o/{y/o/0/;s/$/!/;p}' a
sed '/e$/{s/e/E/};s/t/T/' a
sed '/e/!{s/o/0/}' a
sed '/zz/{s/e/E/}' a
sed '/o/{s/o/x\ny/}' a
sed -n '/o/{s/o/x\ny/;p}' a
printf 'xo\nyo' | sed '/o/{s/o/0/}'
sed 's/o/00/' a b
sed 's/aa/x/;s/b/&&/' b
sed 's/aa/x/g;s/a/y/' b
sed 's/zz/y/' a
sed 's/o//' a
printf 'oo o\no' | sed 's/o/x/'
sed -e 'w out' -e pa a; ls out
sed 'b x;w out' a; ls out
sed 'p x;w out' a; ls out
sed 's/o/x/;s//[\1]/' b
sed 's/\(f\)o/x\1o/;s//[\2\1&]/' b
sed 's/o/x/;s//\U&\1/g' b
sed '/o/s//\1/' a
sed -E '/(o)/s//\1\1/' a
sed -e '/o/p' -e 's//\2/' a
sed '/zz/p;s//\1/' a
sed '/\(o\)/s//\2/' a
sed 's//\1/' a
sed '/t/s//&&/g' a
sed -n '/o/{s//\1/p}' a
sed 's/\(o\)/x/2;s//<\1>/2' b
sed '4 s#[0-9]\+#\x41#;/e$/s##\2\1#' A b
sed 's/[[:word:]]/x/' a
sed '2{a foo
Q}' a
cp a f; sed -i '2{a foo
Q}' f; cat f
sed '1{b;v}' a
sed '1{v 4.2};2v 4.2 # x' a
sed '1e echo a; echo b\
echo c' a
sed '1e\
echo q' a
sed -e '1e echo q\' -e 'echo r' a
sed '1e echo \x41 \q \/' a
sed --debug -n 's/one/echo x/e;1{N;b};:a;/f/!{N;ba};p' a
(sed -u 1q; sort) < n; cat n | (sed -u 1q; sort); { sed 2q > /dev/null; cat; } < a; { sed 2Q; cat; } < a; while read -r l; do echo "r $l"; sed -u q; done < a; { sed -u 1d; cat; } < a; printf 'x\ny' | { sed -u q; cat; }
seq 30000 > big; { sed 20000q > /dev/null; head -1; } < big; exec 3< a; sed 1q <&3; cat <&3; { sed -z q > /dev/null; wc -c; } < a
echo abc > ./-; sed -i 's/b/X/' - < /dev/null; cat ./-; COLS=12 sed -n l long | head -2; COLS=12 sed -l 20 -n l long | head -1; COLS=1 sed -n l a | head -1
sed '{1}' a 2>&1; sed '{p;$}' a 2>&1; sed '1,2}' a 2>&1; sed '}' a 2>&1
printf 'echo q' | sed e; echo -; printf 'x' | sed 's/.*/echo &/e'; echo -; printf 'x' | sed '1e echo hi'; echo -; printf 'printf q' | sed e; echo -
