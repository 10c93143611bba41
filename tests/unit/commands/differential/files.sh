date -u -d @0
date -u -d '2024-01-31 12:34:56' '+%Y-%m-%d %H:%M:%S %a %b %j %U %u %s'
date -u -d '2024-01-31 +1 month' +%F
date -u -d '2024-02-29 -1 year' +%F
date -u -d '2024-01-01 next monday' +%F
date -u -d 'Jan 5 2024 3pm' '+%F %T'
date -u -d '2024-01-01T00:00:00Z + 90 minutes' +%FT%T
date -u -d '2024-01-01 yesterday' +%F
date -u -d '20240102' +%F
date -u -d '10:30 2024-03-04' '+%F %R'
date -u -d '1 Feb 2024 + 2 weeks 3 days' +%F
date -u -d '2024-01-01 last friday' +%F
date -u -d @1700000000.5 +%s.%N
date -u -Iseconds -d @0
date -u -I -d @0
date -u -Ins -d @0
date -u -R -d @0
date -u --rfc-3339=seconds -d @0
date -u -d @0 '+%c|%x|%X|%D|%r|%p|%I|%l|%k|%e|%y|%C|%G|%V|%g|%w|%Z|%z|%:z|%n|%t|%%|%h|%P|%q|%N'
date -u -d @0 '+%-d %_d %05d %^a %#p %10Y %-H'
TZ=America/New_York date -d '2024-07-01 12:00' '+%F %T %Z %z'
TZ=Europe/Berlin date -d '2024-01-01 12:00 UTC' '+%F %T %Z'
TZ=Asia/Kolkata date -d @0 '+%F %T %:z'
date -d 'TZ="Europe/Berlin" 2024-01-01 00:00' -u +%T
date -u -d nonsense
date -u -d '2024-13-01'
date -u -d ''  +%T
date -u -r ref +%s
date -u -r nofile
date -x
date a b
date +%F extra
date -u -d '2024-01-01 00:00:00 +0200' +%T
date -u -d '2024-01-01 5 days ago' +%F
date -u -d '12/25/2023' +%F
date -u -d 'third tuesday' +%F
date -u -d '@86400' +%A
date -u -f dates +%F
printf '%s\n' a b
printf '%d %i %o %x %X %u\n' 10 10 10 255 255 7
printf '%5d|%-5d|%05d|%+d\n' 3 3 3 3
printf '%s %s\n' a b c
printf '%.2f %e %g\n' 3.14159 1234.5 0.0001
printf '%10.3s|%-10s|\n' abcdef xyz
printf '%c%c\n' abc d
printf '%b\n' 'a\tb\n'
printf '%q\n' "a b" "it's"
printf '%%\n'
printf '%d\n' 0x1f 010 "'A"
printf '%d\n' abc
printf '\x41\101\u00e9\n'
printf '%*d\n' 5 3
printf '%s'
printf '%z\n'
find . -type f | sort
find d -name '*.txt' | sort
find d -iname '*.TXT' | sort
find d -type d | sort
find d -maxdepth 1 | sort
find d -mindepth 1 -maxdepth 1 | sort
find d -not -name '*.txt' | sort
find d -name '*.txt' -o -name '*.md' | sort
find d \( -name '*.txt' -o -name '*.md' \) -print | sort
find d -path '*sub*' | sort
find d -regex '.*/[a-z]*\.txt' | sort
find d -size +0 -type f | sort
find d -size -1k | sort
find d -empty | sort
find d -type f -exec echo {} \; | sort
find d -type f -exec echo {} + | tr ' ' '\n' | sort
find d -name '*.txt' -print0 | tr '\0' '\n' | sort
find d -printf '%f %d %y %s\n' | grep -v ' d ' | sort
find d -printf '%P\n' | sort
find d -prune
find d -name sub -prune -o -print | sort
find d -depth -name sub
find d -type f -delete; find d | sort
find d -newer ref | sort
find d -perm 644 -type f | sort
find d -perm -u+r -type f | sort
find d -perm /111 -type f
find . -samefile a
find nofile
find d -foo
find d -name
find d -type x
find d -maxdepth x
find d -exec echo
find -L d -type f | sort
find d -quit
find d -links 1 -type f | sort
find d -printf '%m %p\n' -name nope | sort | head -2
find d -execdir echo {} \; | sort
find d -type f,d | sort
find d -true -false
find d ! -type d -print | sort
ls
ls d
ls -1 d
ls -a d
ls -A d
ls -R d
ls -F d
ls -p d
ls -r
ls -S a b c
ls -1S a long n
ls nofile
ls a nofile d
ls -d d
ls -m
ls -x | head -1
ls -Q a
ls -i a | sed 's/[0-9]* //'
ls -l a | cut -c1-10
ls -s a | sed 's/^[0-9]* //'
ls --zzz
ls -1 -I '*.txt' d
ls -B
ls --group-directories-first -1
ls -X -1
ls -v -1
ls -w 20
ls --sort=size -1 a long
ls -1U d | sort
ls -C -w 40
ls --indicator-style=slash -1
ls --hide='a*' -1
stat -c '%n %s %F %a %A' a d
stat -c '%%|%h|%U' a | cut -d'|' -f1,2
stat --printf='%s\n' a
stat -c %y ref
stat -c '%Y %X' ref
stat nofile
stat -c %N a
stat -c %x a | wc -c
stat -t a | cut -d' ' -f1,2
stat
tar cf x.tar a b; tar tf x.tar
tar czf x.tgz d; tar tzf x.tgz | sort
tar cf x.tar a; rm a; tar xf x.tar; cat a
tar cf - a b | tar tf -
tar cvf x.tar a b
tar cf x.tar a; tar xvf x.tar
tar cf x.tar d; mkdir o; tar xf x.tar -C o; find o | sort
tar cf x.tar -C d 1.txt; tar tf x.tar
tar cf x.tar a b; tar xf x.tar b -O
tar cf x.tar --exclude='*.txt' d; tar tf x.tar | sort
tar cf x.tar d/1.txt; tar xf x.tar --strip-components=1; ls 1.txt
tar xf nofile.tar
tar cf x.tar nofile
tar cf x.tar a; tar rf x.tar b; tar tf x.tar
tar tf a
tar
tar c
tar cf x.tar
tar -x -z -f nofile
tar cjf x.tbz d/1.txt; tar xjOf x.tbz
tar cJf x.txz a; tar tf x.txz
tar cf x.tar a b; tar tf x.tar a
tar cf x.tar a; tar tf x.tar zzz
tar cf x.tar --transform='s/a/zz/' a; tar tf x.tar
tar cf x.tar -T list; tar tf x.tar
tar cf x.tar a b; tar --delete -f x.tar a; tar tf x.tar
tar --bogus
diff a a
diff a a2
diff -u a a2 | tail -n +3
diff -c a a2 | tail -n +3
diff -q a a2
diff -s a a
diff -y -W 40 a a2
diff -y --suppress-common-lines -W 40 a a2
diff -i a A
diff -w a sp
diff -b b b2
diff -B c a
diff -r d d2
diff -rq d d2
diff -rN d d2
diff -e a a2
diff -n a a2
diff --normal a a2
diff -U1 a a2 | tail -n +3
diff a nofile
diff a d
diff - a < a2
diff -I '^t' a a2
diff --strip-trailing-cr a crlf
diff -x '*.txt' -r d d2
diff --brief a a2
diff -a bin a
diff bin a
diff bin bin
diff
diff a
diff -z a b
diff --label L1 --label L2 -u a a2
diff --color=always a a2
diff -u empty a | tail -n +3
diff empty a
diff a empty
diff --width=30 -y a c
diff -t -y -W 40 t a
diff -D X a a2
diff --left-column -y -W 40 a a2
diff -E t a | head -3
diff -T a a2
diff -p a a2 | tail -n +3
diff -H a a2
diff --minimal a a2
xargs < a
xargs -n1 < a
xargs -n2 echo x < a
xargs -I{} echo '<{}>' < a
xargs -L1 echo < a
xargs -0 echo < z
xargs -d, echo < p2
xargs -t echo < a
xargs -r echo < empty
xargs echo x < empty
xargs -a a echo
xargs -P2 -n1 echo < a | sort
xargs sh -c 'exit 3' < a; echo $?
xargs false < a; echo $?
xargs nosuch < a; echo $?
xargs -n x echo < a
xargs -s 20 echo < a
xargs -E three echo < a
xargs -x -n1 echo < a
xargs --bogus
echo "a 'b c' \"d e\" f\ g" | xargs -n1
echo "it's" | xargs
printf 'a b\nc\n' | xargs -I% echo %-%
printf 'a\n\nb\n' | xargs -L2 echo
basename /a/b.txt .txt
basename -a /x/y z/w
basename -s .c a.c b.c
basename
dirname /a/b c /
dirname
realpath a
realpath -m nofile/x
realpath nofile/x
realpath --relative-to=d a
readlink -f a
readlink a
ln -s a l; readlink l; ls -F l
ln a h; stat -c %h a
ln -s a a
ln a
mkdir x/y
mkdir -p x/y; ls x
mkdir a
mkdir -v q
mkdir -m 700 r; stat -c %a r
rmdir d
rmdir nofile
rm nofile
rm -f nofile; echo $?
rm d
rm -r d; ls
rm -v a
rm -d d
cp a x; cat x
cp a b d; ls d
cp nofile x
cp d x
cp -r d x; find x | sort
cp -v a x
cp a
cp -n a b; cat b | head -1
mv a x; ls
mv -v a x
mv nofile x
mv a b d; ls d
mv -n a b; ls a
touch new; ls new
touch -c nope; ls nope
touch -d '2020-01-01 UTC' a; stat -c %Y a
touch -t 202001010000 a; stat -c %y a
touch -r ref a; stat -c %Y a
touch nodir/x
chmod 600 a; stat -c %a a
chmod u+x,g-r a; stat -c %A a
chmod -v 755 a
chmod a=r a; stat -c %a a
chmod zzz a
chmod 600 nofile
chmod +x a; stat -c %a a
mktemp -u | cut -c1-9
mktemp -d tmp.XXXXXX | cut -c1-4
mktemp abc
truncate -s 3 a; cat a
truncate -s +2 a; wc -c a
truncate -s x a
du -b a
du -sb a
du -a d | cut -f2
du -h nofile
df nofile
file a bin empty d
file -b a
file --mime-type a
tree d
tree -L 1 d
tree -d d
tree -a d
tree -f d
tree -i d
tree --noreport d
pathchk a/b
pathchk -p 'a b'
nproc | wc -l
id -u | wc -l
env -i A=1 env
env A=1 printenv A
env -u HOME printenv HOME; echo $?
env nosuch; echo $?
printenv NOPE; echo $?
timeout 5 echo hi
timeout x echo hi
timeout 0.1 sleep 2; echo $?
timeout
nice echo x
nohup echo x
which ls | wc -l
which nosuch; echo $?
yes | head -2
yes a b | head -1
sleep 0
sleep x
sleep
tty < a
test -f a; echo $?
dd if=a of=o bs=2 count=2 2>/dev/null; cat o
dd if=a bs=1 skip=2 count=3 2>/dev/null
dd if=nofile
dd if=a conv=ucase 2>/dev/null
dd bs=x
dd if=a of=/dev/null 2>&1 | head -2
gzip a; ls a*; gunzip a.gz; cat a
gzip -k a; zcat a.gz
gzip -c a | gunzip
gzip nofile
gunzip a
gzip -l nofile
gzip -t a
zcat a
touch $'q\nz'; find . -regex './q.z'
touch oo 'o{2}'; find . -regex './o\{2\}'
csplit --suppress-matched a 3 "{1}"; head -n99 xx*
csplit --suppress-matched a 6; head -n99 xx*
csplit --suppress-matched a /five/ 5; head -n99 xx*
csplit --suppress-matched a 2 "{*}"
csplit -f '' p 2; ls 0*
csplit -b '%#05x' p 2; ls xx*
csplit -b '%+d' p 2; ls xx*
diff -L X -L Y f0 a
diff -s -L X -L Y a a
echo 1 2 | xargs -n1 sh -c 'echo $0; exit 127'
echo 1 2 | xargs -n1 sh -c 'echo $0; exit 200'
echo 1 2 | xargs -n1 -P2 sh -c 'exit 126'
printf 'echo\ntrue\n' | xargs -I{} {} hi
realpath -s a/..
realpath -s nofile/x
realpath -s nofile/..
realpath nofile/.
ln -s nowhere dang; realpath -es dang
ln -s nowhere dang; realpath -L dang/
ln -s a fl; realpath -L fl/..
ln -s loop loop; realpath -m loop/x
ln -s loop loop; realpath -s loop
env -S "printenv HOME" -0
env -S "-u HOME" printenv HOME
env -S "A=1" -i /usr/bin/printenv A
env -i -u A= true
timeout -k x -k 1 1 true
timeout -s x -s KILL 1 true
echo 1 2 | xargs -n1 sh -c 'echo $0; exit 137'
echo 1 2 | xargs -n1 sh -c 'echo $0; kill -9 $$'
xargs false < dash
truncate -s -2 -s 1kB a; wc -c a
truncate -s ">40" -s /4 a; wc -c a
truncate -s x -s +5 a
truncate -s +1 -s +5 a
mkdir a/
mkdir -p a/
ln -s d zw; mv zw/ yy; ls
ln -s d zw; mv zw d2; ls -F d2
ln -s d zw; ln -sf zw/ zw; readlink zw
ln -s d zw; ln -n a b zw
mv -n a a
mv a a2/
mkdir w; mv -T -S .bak d/sub/.. w; ls
cp -v a missing/n
ln -s nowhere xd; cp -f a xd; ls xd
cp -v missing xn/
rmdir -p --ignore-fail-on-non-empty -v d/sub
touch -t x -t 202001010000 a
touch --time=x --time=mtime a
echo 1 | tee --output-error=exit -p d
echo 1 | tee --output-error=x --output-error=exit a
ln -s nowhere xd; cp -n a xd
ln -s nowhere xd; cp -u a xd
cp -n a a
mkdir x; echo 1 > x/f; cp -n x/f d x
cp -l --strip-trailing-slashes a/ xn/
cp --strip-trailing-slashes a/ a2
ln -s -b "" a2; ls a2*
rm -f -i missing
rm -f --interactive=always missing
rm -f --interactive=never missing
rm -i -f missing
rm -f -I missing
rm --interactive=never missing
rm -i -d d
cat a:b 2>&1; wc a:b 2>&1; sort a:b 2>&1; touch a:b; ls; stat -c %N a:b; md5sum -c a:b 2>&1
echo a:b | xargs -t echo 2>&1
cp --strip-trailing-slashes a/ a2
cp --strip-trailing-slashes a/ d; ls d
ls --sort=x --sort=size d
ls --color=x --color=never d
ls --quoting-style=x --quoting-style=c d
rm --interactive=x -f missing
cp --reflink=x --reflink=auto a q
uniq --group=x --group dup
od --endian=x --endian=big a
tar r a | wc -c
tar uf - a >/dev/null
tar Af - a
tar rf -
tar r nofile
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"; cat a | head -3
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,1 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,4 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,4 +1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,2 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' '@@ -7,2 +7,3 @@' ' 7' ' 8' '+x' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1 +1 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @@' ' 1' '-2' 'two' ' 3' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @@' '-1' '-2' '+a' '+b' ' 3' '' 'text' > p; seq 9 > a; patch a p; echo "$?"; head -n 3 a
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' ' 2' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' ' 2' '@@ -5,1 +5,1 @@' '-5' '+five' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,3 @@' ' 1' '-2' '-3' '+x' '+y' '+z' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' '-1' '+a' '+b' '-2' '+c' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,1 +1,2 @@' '-1' ' 2' '+b' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,1 @@' ' 1' '-2' '-3' ' 4'> p; seq 9 > a; patch a p; echo "$?"; head -n 3 a
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' ' 4' '-5' '+five' ' 6' > p; seq 9 > a; patch a p; echo "$?"; head -n 6 a
printf '%s\n' '--- a' '+++ a' '@@ -1,7 +1,7 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"; head -n 6 a
printf '%s\n' '--- a' '+++ a' '@@ -1,5 +1,5 @@' ' 1' '-2' '+two' ' 3' '@@ -7,3 +7,3 @@' ' 7' '-8' '+eight' ' 9' > p; seq 9 > a; patch a p; echo "$?"; head -n 6 a
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-2' '+two' ' 3' '--- b' '+++ b' '@@ -1 +1 @@' '-1' '+one' > p; seq 9 > a; seq 3 > b; patch -p0 < p; echo "$?"; head -n 2 a b
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' '' > p; printf '1\n2\n\n4\n' > a; patch a p; echo "$?"; cat a
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,2 @@' ' 1' '-2' '' > p; printf '1\n2\n\n4\n' > a; patch a p; echo "$?"; cat a
printf '%s\n' '--- a' '+++ a' '@@ @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,2 @@' ' 1' '-2' '+two' '\ No newline at end of file' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '--- /dev/null' '+++ b' '@@ -0,0 +1,2 @@' '+a' '+b' '+c' > p; patch -p0 < p; echo "$?"; cat b
printf '%s\n' '--- /dev/null' '+++ b' '@@ -0,0 +1,3 @@' '+a' '+b' > p; patch -p0 < p; echo "$?"; cat b
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-1' '-2' '-3' > p; seq 3 > b; patch -p0 < p; echo "$?"; cat b
printf '%s\n' '--- a' '+++ a' '' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' 'x' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '+++ a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -x +y @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ ... @@' ' 1' '-2' '+two' ' 3' '@@ -5 +5 @@' '-5' '+five' > p; seq 9 > a; patch < p; echo "$?"; head -n 5 a
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3@@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @@ function x()' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -1,3  +1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -1, 3 +1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' > p; seq 9 > a; patch < p; echo "$?"
printf '%s\n' '--- a' '+++ a' 'junk' > p; seq 9 > a; patch a p; echo "$?"
printf '%s\n' '*** Begin Patch' '*** Update File: a' '@@' '-2' '+two' '*** End Patch' > p; seq 9 > a; patch < p; echo "$?"
printf '%s\n' 'diff --git a/a b/a' '--- a/a' '+++ b/a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch -p1 < p; echo "$?"; head -n 2 a
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-1' '-2' > p; seq 2 > b; patch -p0 < p; echo "$?"
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-1' '-2' > p; seq 3 > b; patch -p0 < p; echo "$?"; cat b
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-1' '-2' > p; seq 3 > b; patch -E -p0 < p; echo "$?"; cat b
printf '%s\n' '--- b' '+++ b' '@@ -1,2 +0,0 @@' '-1' '-2' > p; seq 3 > b; patch -p0 < p; echo "$?"; cat b
printf '%s\n' '--- b' '+++ b' '@@ -1,2 +0,0 @@' '-1' '-2' > p; seq 2 > b; patch -p0 < p; echo "$?"; cat b
printf '%s\n' 'diff --git a/b b/b' 'deleted file mode 100644' '--- a/b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-1' '-2' > p; seq 3 > b; patch -p1 < p; echo "$?"; cat b
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-1' '-2' > p; seq 3 > b; patch -s -p0 < p; echo "$?"; cat b; patch --dry-run -p0 < p; echo $?
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,3 +1 @@' '-1' '-2' ' 3' > p; seq 3 > b; patch -p0 < p; echo "$?"; cat b
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-1' '-2' '--- c' '+++ c' '@@ -1 +1 @@' '-1' '+x' > p; seq 3 > b; seq 3 > c; patch -p0 < p; echo "$?"; cat b c
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-x' '-2' > p; seq 3 > b; patch -p0 < p; echo "$?"; cat b
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-1' '-2' > p; seq 3 > b; patch --dry-run -p0 < p; echo "$?"; cat b
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-1' '-2' > p; seq 3 > b; patch -o - -p0 < p; echo "$?"; cat b
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,2 +1 @@' '-1' '-2' '+x' > p; seq 3 > b; patch -p0 < p; echo "$?"; cat b
printf '%s\n' '--- a' '+++ a' '@@ -1,3+1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3, @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -1,3 -1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -1,3 + 1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -,3 +1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@-1,3 +1,3@@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @@x' ' 1' '-2' '+two' ' 3' '@@ -7,2 +7,2 @@' ' 7' '-8' '+e' > p; seq 9 > a; patch < p; echo "$?"; head -n 8 a | tail -n 7
printf '%s\n' 'Index: a' '=====' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' 'some text' '--- x/a.orig' '+++ x/a' 'more' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' 'trailing' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '-- a' '++ a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch a p; echo "$?"; head -n 2 a
printf '%s\n' '```diff' '--- a' '+++ a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' '```' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' '--- b' '+++ b' '@@' '-1' '+one' > p; seq 9 > a; seq 3 > b; patch < p; echo "$?"; head -n 2 a b
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' ' 3' '' '--- b' '+++ b' '@@ -1,2 +1,2 @@' '-1' '+one' ' 2' > p; seq 9 > a; seq 3 > b; patch < p; echo "$?"; head -n 2 a b
printf '%s\n' '--- a' '+++ a' '@@ -1,4 +1,4 @@' ' 1' '-2' '+two' ' 3' '' '--- b' '+++ b' '@@ -1,2 +1,2 @@' '-1' '+one' ' 2' > p; seq 9 > a; seq 3 > b; patch < p; echo "$?"; head -n 2 a b
printf '%s\n' '--- a' '+++ a' '@@ -10,3 +10,3 @@' ' 1' '-2' '+two' ' 3' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -0,0 +1,2 @@' '+x' '+y' > p; seq 9 > a; patch < p; echo "$?"; head -n 2 a
printf '%s\n' '--- a' '+++ a' '@@ -1 +1 @@' '-1' '+one' '@@ -3 +3 @@' '-3' '+three' '@@ -2 +2 @@' '-2' '+two' > p; seq 9 > a; patch < p; echo "$?"; head -n 3 a
printf '%s\n' '--- a' '+++ a' '@@ -5 +5 @@' '-5' '+five' '@@ -2 +2 @@' '-2' '+two' > p; seq 9 > a; patch < p; echo "$?"; head -n 3 a
printf '%s\n' '--- a' '+++ a' '@@ -5 +5 @@' '-5' '+five' '@@ -5 +5 @@' '-6' '+six' > p; seq 9 > a; patch < p; echo "$?"; head -n 3 a
printf '%s\n' '--- a' '+++ a' '@@ -4,3 +4,3 @@' ' 4' '-5' '+five' ' 6' '@@ -5 +5 @@' '-7' '+six' > p; seq 9 > a; patch < p; echo "$?"; head -n 3 a
printf '%s\n' '--- a' '+++ a' '@@ -4,3 +4,3 @@' ' 4' '-5' '+five' ' 6' '@@ -3 +3 @@' '-7' '+six' > p; seq 9 > a; patch < p; echo "$?"; head -n 7 a
printf '%s\n' '--- a' '+++ a' '@@ -4,3 +4,3 @@' ' 4' '-5' '+five' ' 6' '@@ -2 +2 @@' '-2' '+six' '@@ -1 +1 @@' '-1' '+one' > p; seq 9 > a; patch < p; echo "$?"; head -n 7 a
printf '%s\n' '--- a' '+++ a' '@@ -4,3 +4,3 @@' ' 4' '-x' '+five' ' 6' '@@ -2 +2 @@' '-2' '+six' > p; seq 9 > a; patch < p; echo "$?"; head -n 7 a
printf '%s\n' '--- a' '+++ a' '@@ -2,3 +2,3 @@' ' 4' '-5' '+five' ' 6' '@@ -3 +3 @@' '-3' '+six' > p; seq 9 > a; patch < p; echo "$?"; head -n 7 a
printf '%s\n' '--- a' '+++ a' '@@ -2,3 +2,3 @@' ' 4' '-5' '+five' ' 6' '@@ -7 +7 @@' '-3' '+six' > p; seq 9 > a; patch < p; echo "$?"; head -n 7 a
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-x' '\ No newline at end of file' '+two' > p; printf '1\n2' > a; patch < p; cat a.rej; echo =
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-x' '\ No newline at end of file' '+two' '\ No newline at end of file' > p; printf '1\n2' > a; patch < p; cat a.rej; echo =
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-x' '+two' '\ No newline at end of file' > p; printf '1\n2' > a; patch < p; cat a.rej; echo =
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' '-1' '+x' ' y' '\ No newline at end of file' > p; printf '1\n2' > a; patch < p; cat a.rej; echo =
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-2' '+two' > p; printf 'junk' >> p; printf '1\n2\n' > a; patch < p; cat a; echo =
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-2' > p; printf '+two' >> p; printf '1\n2\n' > a; patch < p; cat a; echo =
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-2' '+two' '' > p; printf 'junk' >> p; printf '1\n2\n' > a; patch --verbose < p; cat a; echo =
printf 'junk' > p; patch < p; echo $?
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-2' '+two' '--- b' '+++ b' '@@ -1,2 +1,2 @@' ' 1' '-2' > p; printf '+two' >> p; printf '1\n2\n' > a; cp a b; patch < p; cat a b; echo =
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-2' '+two' '--- b' > p; printf '+++ b' >> p; printf '1\n2\n' > a; cp a b; patch < p; cat a b; echo =
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-2' '+two' ' ' > p; printf 'diff' >> p; printf '1\n2\n' > a; cp a b; patch -s < p; echo $?
printf '%s\n' '--- q' '+++ q' '@@ -1,2 +1,2 @@' ' 1' '-2' '+two' '@@ -5 +5 @@' 'x' > p; patch < p; echo $?
printf '%s\n' '--- q' '+++ q' '@@ -1,2 +1,2 @@' ' 1' '-2' '+two' '@@ -5 +5 @@' '-x' '+y' > p; patch < p; echo $?
printf '%s\n' '--- a' '+++ a' '@@ -2,2 +2,2 @@' ' 1' '-2' '+two' > p; printf '1\n2\n' > a; patch --posix < p; test -e a.orig; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -2,2 +2,2 @@' ' 1' '-2' '+two' > p; printf '1\n2\n' > a; POSIXLY_CORRECT=1 patch < p; test -e a.orig; echo "$?"
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-x' '+two' > p; printf '1\n2\n' > a; patch --posix < p; test -e a.orig; echo "$?"
printf '%s\n' '--- b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-x' '-2' > p; seq 3 > b; patch -p0 < p; echo "$?"; cat b b.rej
printf '%s\n' 'diff --git a/b b/b' 'deleted file mode 100644' 'index 123..000' '--- a/b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-x' '-2' > p; seq 3 > b; patch -p1 < p; echo "$?"; cat b b.rej
printf '%s\n' 'diff --git a/b b/b' 'index 123..000' '--- a/b' '+++ /dev/null' '@@ -1,2 +0,0 @@' '-x' '-2' > p; seq 3 > b; patch -p1 < p; echo "$?"; cat b b.rej
printf '%s\n' '--- a/b' '+++ b/b' '@@ -0,0 +1 @@' '+x' > p; rm b; patch -p1 < p; echo "$?"; cat c x/y/c d/c.txt c.txt zz b 2> /dev/null
printf '%s\n' '--- a/b' '+++ b/b' '@@ -0,0 +1 @@' '+x' > p; rm b; patch < p; echo "$?"; cat c x/y/c d/c.txt c.txt zz b 2> /dev/null
printf '%s\n' '--- x/y/c' '+++ x/y/c' '@@ -0,0 +1 @@' '+x' > p; patch -p0 < p; echo "$?"; cat c x/y/c d/c.txt c.txt zz b 2> /dev/null
printf '%s\n' '--- x/y/c' '+++ x/y/c' '@@ -0,0 +1 @@' '+x' > p; patch < p; echo "$?"; cat c x/y/c d/c.txt c.txt zz b 2> /dev/null
printf '%s\n' '--- x/y/c' '+++ x/y/c' '@@ -1 +0,0 @@' '-x' > p; patch -p0 < p; echo "$?"; cat c x/y/c d/c.txt c.txt zz b 2> /dev/null
printf '%s\n' '--- c' '+++ c' '@@ -1 +0,0 @@' '-x' > p; patch -p0 < p; echo "$?"; cat c x/y/c d/c.txt c.txt zz b 2> /dev/null
printf '%s\n' '--- a/c.txt' '+++ b/d/c.txt' '@@ -0,0 +1 @@' '+x' > p; patch -p1 < p; echo "$?"; cat c x/y/c d/c.txt c.txt zz b 2> /dev/null
printf '%s\n' '--- a/x/y/c' '+++ b/x/y/c' '@@ -0,0 +1 @@' '+x' > p; patch -p1 < p; echo "$?"; cat c x/y/c d/c.txt c.txt zz b 2> /dev/null; mkdir -p q; cd q; patch -p1 < ../p; cat c x/y/c d/c.txt c.txt zz b 2> /dev/null
printf '%s\n' '--- b/zz' '+++ zz' '@@ -0,0 +1 @@' '+x' > p; patch -p0 < p; echo "$?"; cat c x/y/c d/c.txt c.txt zz b 2> /dev/null
printf '%s\n' '--- q' '+++ q' '@@ -1,2 +1,2 @@' ' 1' '-2' > p; printf '+two' >> p; patch < p; echo $?
printf '%s\n' '--- q' '+++ q' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' > p; printf ' x' >> p; patch < p; echo $?
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' > p; printf ' x' >> p;  printf '1\n2\nx\n' > a; patch < p; echo $?
printf '%s\n' '--- a' '+++ a' '@@ -1,3 +1,3 @@' ' 1' '-2' '+two' > p; printf ' x' >> p;  printf '1\ntwo\nx\n' > a; patch -N < p; echo $?
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-x' '\ No newline at end of file' '+two' '--- q' '+++ q' '@@ -1 +1 @@' '-x' '+y' > p; printf '1\nx' > a; patch < p
printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' ' 1' '-x' '+two' '\ No newline at end of file' '--- q' '+++ q' '@@ -1 +1 @@' '-x' '+y' > p; printf '1\nx\n' > a; patch < p
printf '%s\n' 'diff --git a/b b/b' 'index 12..34 100644' '--- b' '+++ b' '@@ -1 +1 @@' '-x' '+y' > p; echo x > b; patch -p1 < p; cat b
printf '%s\n' 'diff --git a/b b/b' '--- b' '+++ b' '@@ -1 +1 @@' '-x' '+y' > p; echo x > b; patch -p1 < p; cat b
printf '%s\n' '--- b' '+++ b' '@@ -1 +1 @@' '-x' '+y' > p; echo x > b; patch -p1 < p; cat b
printf '%s\n' 'text' '--- q' '+++ q' '@@ -1 +1 @@' '-x' '+y' > p; patch --verbose -p0 < p
printf '%s\n' 'text' '--- b' '+++ b' '@@ -1 +1 @@' '-x' '+y' > p; echo x > b; patch --verbose -p0 < p
printf '%s\n' '--- b' '+++ b' '@@ -1,2 +1,2 @@' ' x' '-y' '\ No newline at end of file' '+z' '+w' > p; echo x > b; patch -p0 < p
printf '%s\n' '--- a' '+++ a' '@@ -1 +1 @@' '-1' '+one' '@@ -3 +3 @@' '-x' '+y' '@@ -5,2 +5,2 @@' '-5' '+five' > p; printf ' 6' >> p; seq 9 > a; patch < p
printf '%s\n' '--- a' '+++ a' '@@ -1 +1 @@' '-1' '+one' '@@ -3 +3 @@' '-x' '+y' '@@ -5,2 +5,2 @@' '-5' > p; printf '+6' >> p; seq 9 > a; patch < p
printf 'junk\n' > p; patch --verbose < p; printf '%s\n' '--- a' '+++ a' '@@ -1,2 +1,2 @@' '-1' '+one' > p; printf ' 2' >> p; seq 9 > a; patch --verbose < p
seq 3 | gzip > a.gz; head -c 15 a.gz > t.gz; zcat t.gz; echo $?; gzip -dc t.gz; gzip -d < t.gz; gzip -t t.gz; echo $?; gunzip t.gz; echo $?; test -e t.gz; echo $?
seq 3 | gzip > a.gz; printf x >> a.gz; zcat a.gz; echo $?; gzip -t a.gz; echo $?; gzip -d < a.gz; echo $?; gunzip a.gz; echo $?; test -e a.gz; echo $?
seq 3 | gzip > a.gz; printf xy >> a.gz; zcat a.gz; echo $?; gzip -t a.gz; echo $?; gunzip a.gz; echo $?; test -e a.gz; echo $?
seq 3 | gzip > a.gz; printf '\0' >> a.gz; zcat a.gz; echo $?
touch e; for o in '( e' '! e' '-not e' '-name a -a e' '-name a -o e' '-name a , e' '( -name a ) e' '-name a e' e 'x'; do find . $o 2>&1 > /dev/null; done; for o in '-v - -b' '-l x -w' '-w 0' '-i +2'; do seq 2 | nl $o 2>&1; done; for o in '-j -v -j -N' '-N x -A -'; do seq 2 | od $o 2>&1; done; for o in '-v -e X' '-i -2 -e X' '-j x -t' 'e -z' '-1 0'; do join $o 2>&1; done
printf 'a b\nc d\n' > t; mkdir d; md5sum -c d 2>&1; cmp -s d t 2>&1; echo $?; cmp -l 2>&1; cmp -n 3 2>&1; for s in 2 8 9; do hexdump -s $s t; hexdump -C -s $s t t; hexdump -C -n 3 -s $s t; done; install -d -t d x 2>&1
touch a b; mkdir d; cp -s a b 2>&1; cp -sf a b; readlink b; cp -l a b 2>&1; cp -lf a b; stat -c %h a b; cp -s a d 2>&1; cp -s a x; cp -s x x 2>&1; cp -sn a b; echo $?; cp -rs d y 2>&1; cp -s a nope/q 2>&1; cp -s a "../${PWD##*/}/e"; readlink e; cp -lf a a; cp -l a a; cp -sf a a 2>&1; cp -s --remove-destination a b; cp -sb a b; ls
mkdir d; echo abc > a; for o in '-c 2' '-q -c 2' '-c +2' '-n 1'; do tail $o d a 2>&1; echo $?; done
for v in cp 'cp -d' 'cp -a' 'cp --remove-destination' 'cp -b' 'cp -db' 'cp -l' 'cp -lf' 'cp -dl' 'cp -s' 'cp -sf'; do for a in a h l k lh x o; do for b in a h l k lh x o ./a new; do case "$v $a" in *-b\ $b) continue; esac; mkdir tt; cd tt; echo x > a; ln a h; ln -s a l; ln -s a k; ln l lh; ln -s nope x; echo o > o; $v $a $b 2>&1; find . -type f -exec cat {} + | sort | tr -d '\n'; find . -printf '%y%n%p>%l\n' | sort | tr '\n' ' '; cd ..; rm -r tt; done; done; done | md5sum
for v in mv 'mv -b' 'mv -n' ln 'ln -f' 'ln -sf' 'ln -b' 'ln -sb' 'ln -L'; do for a in a h l k lh x o; do for b in a h l k lh x o ./a new; do mkdir tt; cd tt; echo x > a; ln a h; ln -s a l; ln -s a k; ln l lh; ln -s nope x; echo o > o; $v $a $b 2>&1 < /dev/null; find . -type f -exec cat {} + | sort | tr -d '\n'; find . -printf '%y%n%p>%l\n' | sort | tr '\n' ' '; cd ..; rm -r tt; done; done; done | md5sum
mkdir q; echo x > q/a; ln -s q m; touch f; for o in 'q/ m/ f/' ./q/ q/. 'q// m' m/. m/a; do tar cf t.tar $o 2>&1; tar tf t.tar; done; touch -c f/x 2>&1; link q/a f/ 2>&1; link f new/ 2>&1; mkfifo f/ 2>&1; mkfifo new/ 2>&1; ln -s . f/ 2>&1; ln -sf . f/ 2>&1; ln -b . f/x 2>&1; gzip m 2>&1; gzip -d m 2>&1; diff -N a f/x 2>&1; sed -i p f/ 2>&1; sort -o out q 2>&1; ls out; install a q/a f q 2>&1; printf 'y\n\0' > g; grep y g 2>&1; grep -c y g; grep -I y g; echo $?
mkdir g h; mkfifo g/f h/f; diff -r g h; echo $?; rm h/f; diff -rN g h; echo $?; diff -rN h g; echo $?
echo one > i; ln i k; tar cf k.tar k; echo two > i; tar xf k.tar --overwrite; cat i; echo two > i; tar xf k.tar; cat i
touch q$'\a' 'a b' $'n\nl' "it's" $'r\rs'; for s in literal shell shell-always shell-escape c escape locale; do ls --quoting-style=$s | head -6; ls -q --quoting-style=$s | head -6; done; ls -qb | head -4; ls -q --show-control-chars | head -3
touch 'a*' 'b=' 'c>' 'd@' 'e|' 'f x'; for i in slash file-type classify; do for s in literal shell shell-always shell-escape c c-maybe escape locale; do ls --indicator-style=$i --quoting-style=$s ?[*=\>@\|\ ]*; done; done; for o in '-Q --zero' '--zero -Q' '--zero -C' '-C --zero' '-m --zero' '--zero -m' '--color --zero'; do ls $o [a-f]?* | tr '\0' ,; done
mkdir q 'y:z' 's p'; for s in literal shell shell-always shell-escape shell-escape-always c c-maybe escape locale; do ls --quoting-style=$s q 'y:z' 's p'; done; ln -s q l; ls -lp l | cut -c46-; ls -lF l | grep -o '[^ ]*$'; ls -lp l | grep -o '[^ ]*$'; ls -lp --group-directories-first | grep -o 'l ->.*'; ls -lhk a | cut -d' ' -f5
mkdir y; cd y; touch .b .hid ..x .2 .10 B a .a1.b .a.b ab a.b .tar.gz; ls -Av; ls -A | sort -V | tr '\n' ' '
mkdir -p q/r; ln -s nope q/dang; echo x > q/r/f; for o in '-L q' '-DL q/dang' '-D q/dang' 'q/dang' '-cS q' '-cSb q/r' '-c -t 5M q' '-s -d 0 q/r' '--inodes -b q/r' '--exclude=n* nope' '-c --time --time-style=+T nope' '-c --exclude=r q'; do du $o 2>&1 | sort; done
for c in 'rm -r ld/' 'rm -rf ld/' 'rm ld/' 'rm -d ld/' 'rm -d lm/' 'rm -df lm/' 'rm -rf lm/' 'rm -d d' 'rm -d .' 'rm -d m/.' 'rm -d m/..' 'rm d/.' 'rmdir lm/' 'rm -di d' 'rm dang/' 'rm -rf dang/' 'rm loop/' 'rm -f loop/' 'ln -i a ./a' 'ln -iT a d' 'ln -fT a d' 'ln sp\ x q' 'ln -t d -t nope a' 'ln -T -t nope a' 'ln -t a d' 'ln -t nope' 'chmod 700 loop' 'chmod -v 700 loop dang nope' 'chmod -c 700 dang'; do mkdir w; cd w; mkdir d d/e 'sp x'; touch d/f a; ln -s d ld; mkdir m; ln -s m lm; ln -s nope dang; ln -s loop loop; eval "$c" </dev/null 2>&1; echo "[$?]"; find . | sort | tr '\n' ' '; cd ..; rm -rf w; done
ln -s nope dang; ln -s loop loop; echo x > dang/. ; echo x > new/. ; touch new/. dang/. 2>&1; mkdir new/. dang/. 2>&1; mkdir -p new2/. dang/. 2>&1; cp a new/. 2>&1; mv a new/. 2>&1; ln -s a new/. 2>&1; ln a new/. 2>&1; mkdir -p loop loop/x dang dang/x a/b 2>&1; ls -d n* | tr '\n' ' '
for m in u-s g-s -t +t u+s u-s,g+w u-s,u-w g-s,o-r =t u-s,a-t 1777 0777 g+w o-r; do for u in 022 077 0; do umask $u; mkdir -m $m m; stat -c "$u $m %a" m; rmdir m; done; done
