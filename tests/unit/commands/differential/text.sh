cut -d: -f1 p
cut -d: -f1,3 p
cut -d: -f2- p
cut -d: -f-2 p
cut -d: -f3,1 p
cut -d: --complement -f2 p
cut -d: -f1,3 --output-delimiter=- p
cut -c1-3 p
cut -c2- p
cut -b1,3 p
cut -c1,3-4 --output-delimiter=: p
cut -s -d: -f2 p a
cut -f1 t
cut -d ' ' -f2 b
cut -z -c1 z | tr '\0' ,
cut -d
cut -f0 p
cut -f2-1 p
cut -f p
cut p
cut -d:: -f1 p
cut -c1 -f1 p
cut -f1 nofile
cut -d: -f5 p
cut -d: -f1-1,2-2 p
tr a-z A-Z < a
tr -d o < a
tr -d '\n' < a
tr -s o < b
tr -s ' ' '\n' < b
tr -cd '[:alpha:]\n' < b
tr '[:lower:]' '[:upper:]' < b
tr -c '[:alnum:]' _ < b
tr abc x < b
tr -t abc x < b
tr a-c '[x*]' < b
tr a-c 'x[y*2]' < b
tr '\101' b < b
tr -ds a b < b
tr '[:space:]' ' ' < t
tr a '\n' < b
tr '\000-\037' ' ' < t
tr
tr a
tr -d a b
tr -d
tr z-a x
tr '[:foo:]' x
tr a ''
tr -x a b
tr '[a-c]' '[A-C]' < b
tr -cs a-z '\n' < b
tr '\\' / < b
sort a
sort -r a
sort -n n
sort -rn n
sort -u dup
sort -f b
sort -t: -k2 p
sort -t: -k3n p
sort -t: -k3,3nr -k1,1 p
sort -k2 b
sort -k1.2 a
sort -k 2,2 -k 1,1r b
sort -b b
sort -d b
sort -g n
sort -h h
sort -M m
sort -V v
sort -R dup | wc -l
sort -c a
sort -c n
sort -C a; echo $?
sort -cn n
sort -m a b
sort -o out a; cat out
sort -s -k1,1 b
sort -z z | tr '\0' ,
sort -u -n n
sort -nu -r n
sort -k1,1 -u b
sort -t '' a
sort -t xx a
sort -k0 a
sort -k a a
sort -x a
sort nofile
sort --sort=numeric n
sort --key=2 b
sort -t: -k1,1 -u p
sort -n -t: -k3 p
sort -k1,1n -k2,2 b
sort --parallel=2 -S 1M a
sort -T /tmp a
sort --debug a 2>/dev/null
sort -rV v
sort -n < v
sort -k2,2b b
printf '10\n9\n-1\n+5\n1e3\n.5\n' | sort -g
printf '10\n9\n-1\n+5\n1e3\n.5\n' | sort -n
printf 'b\na\nb\n' | sort | uniq
uniq dup
uniq -c dup
uniq -d dup
uniq -u dup
uniq -D dup
uniq -i dup
uniq -f1 b
uniq -s1 dup
uniq -w1 dup
uniq --all-repeated=separate dup
uniq --all-repeated=prepend dup
uniq --group dup
uniq --group=both dup
uniq -cd dup
uniq dup out; cat out
uniq -z z | tr '\0' ,
uniq nofile
uniq -x dup
uniq -f x dup
uniq --group -c dup
uniq a b c
join j1 j2
join -a1 j1 j2
join -a2 j1 j2
join -a1 -a2 -e NULL -o 0,1.2,2.2 j1 j2
join -v1 j1 j2
join -v2 j1 j2
join -1 2 -2 1 j1 j2
join -t: p p
join -j1 j1 j2
join -i j1 j2
join -o 1.1,2.2 j1 j2
join -o auto -a1 -e - j1 j2
join --header j1 j2
join j1
join j1 nofile
join -x j1 j2
join -o 3.1 j1 j2
join -1 0 j1 j2
join --check-order u1 j2
join u1 j2
join --nocheck-order u1 j2
paste a c
paste -d, a c
paste -s a
paste -sd, a
paste -d,: a c a
paste - - < a
paste -d '\n' a c
paste -d '\0' a c
paste -s -d '+-' a
paste a nofile
paste -z a
paste -x
paste - < a
paste -d '' a c
comm s1 s2
comm -12 s1 s2
comm -3 s1 s2
comm -23 s1 s2
comm --output-delimiter=, s1 s2
comm --total s1 s2
comm a s2
comm --check-order n s2
comm --nocheck-order n s2
comm s1
comm s1 nofile
comm -x s1 s2
comm -123 s1 s2
comm -z s1 s2
od a
od -c a
od -An -c a
od -x a
od -An -tx1 a
od -A d -t x1z a
od -tx1 -w4 a
od -td2 a
od -tu1 a
od -to2 a
od -tf4 -N8 bin8
od -tf8 bin8
od -tx8 bin8
od -td8 -An bin8
od -ta a
od -b a
od -d a
od -i bin8
od -j2 -N3 -c a
od -v -tx1 same
od -tx1 same
od -An -tx1 -w1 -v a
od -s bin8
od -S3 a
od -t z a
od -x nofile
od -N2 -c a c
od -Ax -tx2 a
od --endian=big -tx2 a
od -tcx1 a
od -t x1 -t c a
od -w3 -tx2 a
od -Q
od -j 100 a
wc a
wc -l a
wc -w a b
wc -c a
wc -m u
wc -L a u
wc -lw a
wc < a
wc -l < a
wc a b nofile
wc --files0-from=f0
wc -x
cat a | wc
wc empty
wc -l a b c
head -2 a
head -n2 a
head -n -2 a
head -c3 a
head -c -3 a
head -q -n1 a b
head -v -n1 a
head -n1 a b
head -n x a
head -n 1K a
head nofile a
head -z -n1 z | tr '\0' ,
tail -2 a
tail -n2 a
tail -n +2 a
tail -c3 a
tail -c +3 a
tail -q -n1 a b
tail -n1 a b
tail -v -n1 a
tail +2 a
tail -n x a
tail nofile
tail -r a
nl a
nl -ba c
nl -nrz -w3 a
nl -s: a
nl -v5 -i2 a
nl -bp^t a
nl -n ln a
nl -b x a
nl -w0 a
fold -w5 b
fold -s -w8 b
fold -b3 u
fold -w x a
fmt b
fmt -w 20 long
fmt -u b
fmt -s -w10 long
expand t
expand -t4 t
expand -i t
expand -t 2,6 t
expand -t x t
unexpand sp
unexpand -a sp
unexpand -t4 sp
unexpand --first-only -t4 sp
rev b
tac a
tac -s e a
tac -b -s e a
tac -r -s '[aeiou]' a
column -t b
column -t -s: p
column a
column -x n
column -c 20 n
column -t -s: -o ' | ' p
column -J -t -s: -N a,b,c p
seq 3
seq 2 5
seq 1 2 7
seq 5 -1 1
seq -w 8 11
seq -s, 5
seq -f %03g 3
seq 0.5 0.5 2
seq 1 .2 2
seq 3 1
seq
seq x
seq 1 0 3
seq -f %d 3
seq 1e2 103
shuf -i1-3 | sort
shuf -n0 a
shuf -e a b c | sort
shuf -i 3-1
split -l2 a; ls x*; cat xab
split -b4 a pre; ls pre*
split -n2 a; ls x*; cat xaa
split -n l/2 a; cat xaa
split -d -l1 a; ls x*
split -a1 -l2 a; ls x*
split --additional-suffix=.txt -l3 a; ls x*
split -n 2/3 a
split -n r/2 a; cat xaa
split -C6 a; cat xaa
split -l x a
split --filter='cat; echo =' -l2 a
tee out < a; cat out
tee -a out < a; cat out
tsort pairs
tsort cyc
factor 12 97 1001
factor x
expr 1 + 2
expr 5 / 2
expr 5 % 3
expr abc : 'a\(.\)'
expr abc : b
expr length hello
expr substr hello 2 3
expr index hello l
expr 1 = 1
expr 1 \< 2
expr a \| b
expr 0 \| b
expr 1 \& 0
expr 1 +
expr 1 / 0
expr x + 1
expr \( 1 + 2 \) \* 3
expr match abc 'a.'
numfmt --to=iec 1024 1500000
numfmt --to=si 1000 1500000
numfmt --from=iec 1K 2M
numfmt --from=si --to=iec 1M
numfmt --to=iec --format=%.2f 1500
numfmt --field 2 --to=si --delimiter=: < p2
numfmt --padding=10 --to=si 5000
numfmt --grouping 1234567
numfmt --suffix=B --to=iec 2048
numfmt --round=down --to=iec 1999
numfmt x
numfmt --to=foo 1
base64 a
base64 -w0 a
base64 -w 10 a
base64 a | base64 -d
base32 a
md5sum a c
sha256sum a | cut -c1-10
sha1sum a > s; sha1sum -c s
md5sum --tag a
cksum a
cksum -a sha256 a
cksum -a bsd a
cksum -a sysv a
b2sum a | cut -c1-20
md5sum nofile
echo bad | md5sum -c
strings bin
strings -n 2 bin
strings -t d bin
xxd a
xxd -p a
xxd -l 4 a
xxd -s 2 -l 4 a
xxd -c 4 a
xxd -b a
xxd -u a
xxd -g1 a
xxd -p a | xxd -r -p
xxd a | xxd -r
xxd -i a
hexdump -C a
hexdump a
hexdump -c a
hexdump -n4 -C a
hexdump -e '1/1 "%02x "' a
hexdump -C same
cmp a a
cmp a b
cmp -s a b; echo $?
cmp -l a a2
cmp -b a a2
cmp -n2 a a2
cmp a nofile
cmp a empty
cmp -i1 a a2
cat -n c
cat -b c
cat -s c
cat -A t
cat -E a
cat -v bin
cat -T t
cat a nofile
cat -x
printf 'x \ny\n' > e1; printf 'x q\t\n' > e2; join e1 e2; join -a1 e1 e2 | od -c; rm e1 e2
printf '\na:b\n' > e1; printf ':q\na:c\n' > e2; join -t: -a1 -a2 e1 e2; rm e1 e2
printf 'b\na\nc\n' > e1; join -a1 e1 empty; printf 'b\n' > e2; join -a1 e1 e2; printf 'a\nc\nb\n' > e2; join -a1 -a2 e1 e2 2>&1; rm e1 e2
tail -n 0 a b; tail -n 0 -v a; tail -c0 nosuch; echo $?; tail -n +0 a | head -n1
cmp -l -s a b; echo $?
column -tx a; echo $?; column -xJ a; echo $?
head -n x -n1 a
tail -c x -n1 a
fold -w x -w 3 a
shuf -n x -n 1 a
cksum -a foo -a md5 a
cksum -a md a
cksum -a md5 --tag -c a
shuf -n0 missing
shuf -n0 --random-source=missing a
shuf --random-source=a --random-source=b dup -n0
yes a -x | head -1
paste -s d a
join -t '' -j2 j1 s1
join -t, -t: j1 j2
expand -t /3 -t 4,6 t
expand -t 4,/0,3 t
expand -t +2 -t /3 t
expand -t 3/ t
expand -t 4,2 -t x t
unexpand -4 b
unexpand -4 -8 sp
unexpand -8 -t4 sp
unexpand -4 -t8 sp
unexpand -a -4 b
tac -rs 'o+' b
tac -brs 'o\+' b
tac -rs '[0-9]*' p
tac -rs '^.' c
tac -rs 't.*' b
tac -brs 'e\n\|t' a
tac -rs 'o\{2\}' p
tac -rs '' a
echo 6f6e65 | xxd -rp
xxd -up a
xxd -p?? a
xxd -c4x a
xxd -group 4 a
xxd -offset 16 a
xxd -capitalize -i d/1.txt
xxd a -p; cat ./-p
printf '0010: 61\n0000: 62\n' | xxd -r | od -c
xxd -s 4 a | xxd -r -s -4
printf '|||ab\n12|||34\n56' | xxd -r -p | od -tx1
printf '1|2\n34||5||6\n7' | xxd -r -p | od -tx1
split -a -1 a
split --verbose -2 a
split -l 1k a
split -l +2 a; ls x*
split -b 0 -b 1k a
split -t x -t y a
split -a1 --numeric-suffixes=12 -l1 a
split -l 99999999999999999999 a
numfmt --format=%10f --padding=-8 1023
numfmt --padding=-8 --padding=10 1.5
numfmt -d: --field=2 " 7: 8"
numfmt -d: --from=si "8 K"
numfmt -d: "8 "
date -I -Iseconds -d 2023-12-25
date -R -R -d 2023-12-25
date -s 2024-01-01 -d 2023-01-01
fmt -w 10 crlf
fmt -u crlf
printf 'one\r\ntwo three\r\n\r\n  a\rb\fc\vd e\n' | fmt
head -n0 a d
column a nofile
column -t a nofile
column nofile nofile2
column -J -N x nofile nofile2
column - < a
pr -o3 -l12 -D x a
pr -b -2 -l 14 -h x -D d a
pr +2:3 -l 12 -D d a
pr -D d a d b
numfmt --format=x%fy "   7"
numfmt --to=si --field=2 "7  8000  9"
date -d May-5-2020 +%F
date -d 'May-5-20' +%F
date -d 'May - 5 - 2020 10:00' '+%F %T'
date -d May-5 +%F
date -d 'May-5 2020' +%F
date -d sept-5-99 +%F
date -d May-5-2020-1 +%F
date -d 'may-5+2020 1 day' +%F
date -d '5-May-2020' +%F
date -d 'Jan 5, 2020' +%F
numfmt --round= 1
numfmt --round=x --round=up 1
numfmt --from= 1
numfmt --to=auto 1
numfmt --to=x --to=si 1000
numfmt --invalid=x a
numfmt --from=s 1
numfmt --from=n 1
numfmt --to=i 1
numfmt --round=n --to=si 1499
sort --random-source=missing a
for o in 'head -c 1m' 'head -n 1mB' 'head -n 1g' 'tail -n 1m' 'tail -c +1mB' 'split -b 1m' 'split -C 1miB' 'du -t 1m' 'truncate -s %1m' 'truncate -s 1p'; do seq 9 > f; $o f 2>&1 | head -n 1; wc -c < f; done
mkdir -p l/s; echo x > l/f; ln -s ../l l/m; ln -s .. l/s/up; ls -RL l 2>&1; ls -RLH l; cp -rL l k 2>&1 | sort; ls -R k; du -aL l | cut -f 2 | sort; du -sLP l | cut -f 2
mkdir -p g/d h/d; ln -s ../../g g/d/l; ln -s ../../h h/d/l; diff -r g h 2>&1; echo $?; rm h/d/l; mkdir -p h/d/l/d; diff -r g h 2>&1; diff -rN g empty 2>&1
mkdir l; ln -s nowhere l/b; touch l/c; for o in '' -C -m -R -F -t -X -a -Q; do ls -L $o l 2>&1; echo $?; done; ls -lLH l | cut -c 1-3
mkdir w; cd w; touch a b c d e f gh ijk; for w in 1 3 4 6 7 9 10 13 20 0; do ls -C -w $w; ls -x -w $w; ls -m -w $w; done
printf 'b 2 1\na 1 2\n' > f; for o in '-k -1' '-k1 -2' '-k +1' '+1 -k1 -2' '-- +2' '--key +1 +1' '-nk +1 +1' '+1.2n -1.2x' '+1 -0' '+0 -0.3' '+1 -1.' '-k 0x' '-k 1,2.3.4' '-k 1.0x' '-k 1,0nx' '-k 1n.2'; do echo "$o"; sort $o < f 2>&1; done; sort -k '1. 2,+2' f
for o in '-20s' '-s -20' '-20 -30' '-20s -w30' '-s5' '-2x' '-- -20'; do echo "fmt $o"; seq 9 | fmt $o 2>&1; done; for o in '-5 -3 cat' '-5x cat' '--5x cat' '-+5x cat' '-n 3 -5 cat' '-5x' '-- -5 cat'; do echo "nice $o"; seq 2 | nice $o 2>&1; done
for o in '-n 2 -5' '-q -5' '-5 -q' '-q5' '-5x'; do echo "tail $o"; seq 9 | tail $o 2>&1; echo "head $o"; seq 9 | head $o 2>&1; done; for o in '-inf 3' '-f -5 1 2' '--sep -1 3' '--format -1 3' '-ws -1 3' '-5x' '-- -1 1' '-w -.5 1'; do echo "seq $o"; seq $o 2>&1; done
for o in -2 -2t +1x +2 '-2 -a' '-- +1' '-l +2' +0 +1: +2:1 +1:x --pages=2:1 --pages=x --pages=0 --pages=1x '-N -3 -n' -0 --columns=x -n0 -nxx -n:3 -e:x '-l -3' '-o -3' '-e -m' '-m -n'; do echo "pr $o"; seq 9 | pr -t $o 2>&1; done
for o in -1c +1 +x '-- +1' '-f +1' -1f0 '+1 +2' +99999999999999999999999 '-f 1x'; do echo "uniq $o"; seq 9 | uniq $o 2>&1; done; for o in -4,8 -4i -i4 '-4 -8' '-- -4' '-t -4' -,4; do echo "expand $o"; printf 'a\tb\tc\n' | expand $o 2>&1; done; for o in -4a -a4 -4,8 '-4 -t 5' '-- -8'; do echo "unexpand $o"; printf '        a       b\n' | unexpand $o 2>&1 | tr '\t' T; done
for o in -1 -s1 -1b '-1 -2' '-w -2' -0; do echo "fold $o"; seq 9 12 | fold $o 2>&1; done; for o in '-1 5' '-n1 5' '-1n 5' '-A2 -1 5' '-e -1' '-m 2 -0 .' '-c1 5' '-- -1'; do echo "grep $o"; seq 9 | grep $o 2>&1; done; for o in -1d -0 '-1 -2' '-a -2' '-l2 -1' '-- -1'; do echo "split $o"; seq 3 | split $o 2>&1; ls; rm -f x*; done
for n in $'a \tb' $'a\xc2\x85' $'\xe2\x80\xa8' 'a\ b' $'\x7f' $'\xc2\xa0'; do touch "$n"; ls -b "$n"; ls "$n" | od -c; rm -v "$n"; seq "$n" 2>&1; head -n "$n" 2>&1; find "$n" 2>&1; printf '%q\n' "$n"; done
printf 'a \v b\r\n \r\n\f"x"\v y\n' | xargs -n 1 echo | cat -A; printf 'a \v\nb\n\v\nc\n' | xargs -L 1 echo; printf ' \r\v a \n\r\nb\r\n' | xargs -I {} echo '[{}]' | cat -A
printf 'read()\nread()\nread() + 1\nhalt\n' > q; printf '4+2\n\n -3.5' | bc q; printf 'x = read()\nx * 2\n' > q; printf '12 7\n' | bc q
printf 'abcdef\nxy\n' | dd ibs=3 cbs=4 conv=block; printf 'ab  cd  e' | dd ibs=3 cbs=4 conv=unblock status=none; printf '01234567\nabcdefghijkl\n' | dd ibs=10 cbs=10 status=none conv=block,sync; printf abc | dd bs=1 conv=swab status=none
printf 't b\nt s\ns t\n' | tsort; printf 'a b\nb c\nc a\nd a\n' | tsort; printf 'x y\ny z\nz y\nq x\nq z\nz x\n' | tsort
numfmt --field '1,2 4' --to=si '1000 2000 3000 4000 5000'; numfmt --field 3-2 10; numfmt --field 1,18446744073709551616 10; numfmt --from-unit=1i 0; numfmt --from-unit=1Ki 5
wc --files0-from=/dev/null
{ od -N 2 -An -c; od -An -tu1 -N 1; cat; } < a; cat a | { od -j 2 -N 2 -An -c; cat; }; cat a | { od -An -tx1 -N 3; od -An -tx1 -N 1; wc -c; }; od -An -c -N 5 -w3 a b; od -N 0 a
for t in dumb xterm xterm-256color vt100 linux screen tmux nosuch; do echo $t; clear -T $t; echo $?; clear -T $t -x; [ $t = dumb ] || tput -T $t clear; tput -T $t dl1; tput -T $t dch1; done 2>&1 | cat -v
