awk '{print}' a
awk '{print $1}' b
awk '{print $NF}' b
awk '{print NR, NF, $0}' b
awk -F: '{print $2}' p
awk -F: -v OFS=- '{$1=$1; print}' p
awk 'NR==2' a
awk 'NR>1 && NR<4' a
awk '/two/,/four/' a
awk '/o/{c++} END{print c}' a
awk 'BEGIN{print 1+1, 2^3, 7%3, 1/4}'
awk 'BEGIN{printf "%d %s %5.2f %x %c\n", 3.9, "s", 3.14159, 255, 65}'
awk '{s+=$1} END{print s, s/NR}' n
awk '{a[$1]++} END{for(k in a) print k, a[k]}' dup | sort
awk '!seen[$0]++' dup
awk '{print length($0), toupper($0), substr($0,2,2)}' a
awk '{print index($0,"o"), match($0,/o+/), RSTART, RLENGTH}' a
awk '{n=split($0,p,/[ :]/); print n, p[1]}' b
awk '{gsub(/o/,"0"); print}' a
awk '{sub(/o/,"[&]"); print}' a
awk '{print gensub(/(.)(.)/,"\\2\\1","g")}' a
awk 'BEGIN{while((getline l < "a")>0) print "x" l}'
awk 'BEGIN{"echo hi"|getline x; print x}'
awk '{print | "sort"}' a
awk '{print > "out"} END{close("out"); while((getline l<"out")>0) print l}' a
awk 'BEGIN{print length("abc"), substr("hello",2), index("abc","c")}'
awk 'function f(x){return x*2} {print f(NR)}' a
awk 'BEGIN{a["x"]=1; delete a["x"]; print ("x" in a)}'
awk 'BEGIN{for(i=0;i<3;i++) printf "%d ",i; print ""}'
awk 'BEGIN{i=0; do {print i++} while(i<2)}'
awk '{if(NR%2) next; print}' a
awk 'END{print $0, NR}' a
awk -v x=5 'BEGIN{print x+1}'
awk '{print FILENAME, FNR, NR}' a c
awk 'BEGIN{FS=","} {print $1}' p2
awk 'BEGIN{OFS="-"} {print $1,$2}' b
awk 'BEGIN{ORS="|"} {print}' a
awk 'BEGIN{RS=""} {print NR": "$1}' c
awk -v RS='e' '{print NR, $0}' a
awk '{$2="X"; print; print NF}' b
awk '{NF=1; print}' b
awk '$1 ~ /^t/ {print}' a
awk '$1 !~ /o/' a
awk 'BEGIN{print "a" "b" 1 2}'
awk 'BEGIN{print 1==1.0, "1"==1, "a"<"b", 10<9, "10"<"9"}'
awk 'BEGIN{x["a"]; if("a" in x) print "yes"}'
awk 'BEGIN{print substr("hello",0,2), substr("hello",-1,3), substr("hello",4,9)}'
awk 'BEGIN{print tolower("ABC"), sprintf("%03d",7)}'
awk 'BEGIN{print int(3.9), int(-3.9), sqrt(16), exp(0), log(1), sin(0), cos(0), atan2(0,1)}'
awk 'BEGIN{srand(1); x=rand(); print (x>=0 && x<1)}'
awk 'BEGIN{print -3 % 2, 2**3, 1e6, 1e20, 0.1+0.2, 100000 * 100000}'
awk 'BEGIN{printf "%s\n"}'
awk 'BEGIN{printf "%d %d\n", "0x1A", "12abc"}'
awk 'BEGIN{print strftime("%Y-%m-%d",0,1)}'
awk 'BEGIN{n=asort(a); print n}'
awk 'BEGIN{a[1]="c";a[2]="a";a[3]="b"; n=asort(a,b); for(i=1;i<=n;i++) print b[i]}'
awk 'BEGIN{a["z"];a["y"]; n=asorti(a,b); print b[1],b[2]}'
awk 'BEGIN{PROCINFO["sorted_in"]="@ind_str_asc"; a["b"];a["a"];a["c"]; for(k in a) print k}'
awk 'BEGIN{PROCINFO["sorted_in"]="@val_num_desc"; a["x"]=1;a["y"]=3;a["z"]=2; for(k in a) print k}'
awk 'BEGIN{a[1][2]=3; print a[1][2]; print isarray(a[1])}'
awk 'BEGIN{switch(2){case 1: print "one"; break; case 2: print "two"; default: print "d"}}'
awk 'BEGIN{print length(a)}'
awk 'BEGIN { exit 3 }'; echo $?
awk '{exit} END{print "end"}' a
awk 'BEGIN{print ENVIRON["HOME"] != ""}'
awk 'BEGIN{print ARGC, ARGV[1]}' x
awk '{print}' v=1 a
awk '{print x}' x=1 a x=2 c
awk 'BEGIN{getline; print "got " $0} {print}' a
awk 'NR==1{getline; print} NR>2' a
awk 'BEGIN{print index("foobar","bar"); print "x" > "/dev/stderr"}'
awk '
# comment
BEGIN { x = 1 ; # c
  print x }'
awk 'BEGIN{print "a\tb\\n\"q\"\/"}'
awk 'BEGIN{print "\101\x41"}'
awk '/a|b/{print NR}' b
awk '/^[[:upper:]]/' b
awk '/a{2}/' b
awk '/\.$/' b
awk '$0 ~ "o+"' a
awk 'BEGIN{r="^t"} $0 ~ r' a
awk -F'[:,]' '{print $2}' p
awk -F '\t' '{print $2}' t
awk -F. '{print $2}' b
awk -F'|' '{print $1}' b
awk -F '' '{print $2}' a
awk 'BEGIN{FIELDWIDTHS="1 2"} {print $2}' a
awk 'BEGIN{FPAT="[a-z]+"} {print $1}' b
awk 'BEGIN{IGNORECASE=1} /TWO/' a
awk '{print $(NF-1)}' b
awk '{print $NF-1}' n
awk '{ $5="e"; print }' a
awk '{print NR%2 ? "odd" : "even"}' a
awk 'BEGIN{a="x"; a=a a; print a}'
awk 'BEGIN{x=5; x+=2; x*=3; x-=1; x/=4; x%=3; x^=2; print x++ + ++x, x--, --x}'
awk 'BEGIN{print !0, !1, !"", !"a", 1&&0, 1||0}'
awk 'BEGIN{print 1>2?"a":"b"}'; cat 2
awk 'BEGIN{print (1>2)?"a":"b"}'
awk 'BEGIN{if(!(3 in a)) print "no"; if((1,2) in a) print "x"}'
awk 'BEGIN{a[1,2]=3; for(k in a){split(k,p,SUBSEP); print p[1],p[2]}}'
awk 'BEGIN{printf "%s %s %s\n", "a", "b"}'
awk 'BEGIN{printf "%5s|%-5s|%05d|%+d|%e|%g\n", "a","b",3,4,1234.5,0.00001}'
awk 'BEGIN{printf "%*d\n", 5, 3}'
awk 'BEGIN{printf "%c%c%c\n", "hello", 256, ""}'
awk 'BEGIN{printf "%i %u %o %X\n", 3, 4, 8, 255}'
awk 'BEGIN{print substr("héllo",2,1), length("héllo"), toupper("é")}'
awk 'BEGIN{print system("exit 3")}'
awk 'BEGIN{system("echo hi")}'
awk 'BEGIN{print "x" | "cat"; close("cat"); print "y"}'
awk 'BEGIN{cmd="sort"; print "b" | cmd; print "a" | cmd; close(cmd); print "c"}'
awk 'BEGIN{while(("echo a; echo b" | getline x) > 0) print x}'
awk 'BEGIN{"date -u -d @0 +%Y" | getline y; print y}'
awk 'BEGIN{print getline x < "nofile"}'
awk 'BEGIN{print close("nope")}'
awk 'BEGIN{CONVFMT="%.2g"; a=3.14159; b=a ""; print b}'
awk 'BEGIN{OFMT="%.2f"; print 3.14159}'
awk 'BEGIN{print 1e300*1e300, -1e300*1e300, log(-1)}'
awk 'BEGIN{print 0x10, 011}'
awk 'BEGIN{print 1/0}'
awk 'BEGIN{print substr("x"}'
awk '{print $1'
awk 'BEGIN{f(1)}'
awk 'BEGIN{next}'
awk 'BEGIN{return}'
awk -f nofile a
awk '{print}' nofile
awk
awk -f prog.awk a
awk 'function g(a){a["x"]=1} BEGIN{g(z); print z["x"]}'
awk 'function r(n){return n<=1?1:n*r(n-1)} BEGIN{print r(10)}'
awk 'BEGIN{n=split("a b c",x); for(i=n;i>0;i--) printf "%s ",x[i]; print ""}'
awk 'BEGIN{n=split("",x); print n, length(x)}'
awk 'BEGIN{print split("abc",x,""), x[2]}'
awk 'BEGIN{s="aaa"; print gsub(/a/,"b",s), s}'
awk 'BEGIN{s="abc"; gsub(//,"-",s); print s}'
awk 'BEGIN{s="a.b.c"; gsub(".","x",s); print s}'
awk 'BEGIN{s="a.b.c"; gsub("\\.","x",s); print s}'
awk 'BEGIN{s="a&b"; gsub(/&/,"\\&\\&",s); print s}'
awk 'BEGIN{s="path/x"; sub(/\//,"\\",s); print s}'
awk 'BEGIN{print match("foobar",/o(b)(a)/,m), m[1], m[2], m[1,"start"]}'
awk 'BEGIN{print strtonum("0x1F"), strtonum("017"), and(12,10), or(12,10), xor(12,10), lshift(1,4), rshift(16,2), compl(0)>0}'
awk 'BEGIN{print patsplit("a1b2",p,/[0-9]/), p[2]}'
awk 'BEGIN{print toupper(substr("abc",1,1)) substr("abc",2)}'
awk 'BEGIN{print mktime("1970 01 01 00 00 00")}'
awk 'BEGIN{print typeof(1), typeof("a"), typeof(x), typeof(/a/)}'
awk '{a[NR]=$0} END{for(i=NR;i>0;i--) print a[i]}' a
awk '{w=w<length?length:w} END{print w}' a
awk 'NF' c
awk 'BEGIN{RS=";"} {print $1}' p2
awk '{print > "/dev/stdout"}' a
awk 'length > 3' a
awk 'length($0)>3 {print; next} {print "short"}' a
awk 'NR==FNR{a[$1]=$2; next} $1 in a{print $1,a[$1],$2}' j1 j2
awk '{printf "%s%s", sep, $0; sep=","} END{print ""}' a
awk '{t[$1]=t[$1] " " $2} END{for(k in t) print k t[k]}' b | sort
awk -F: '$3>100{print $1}' p
awk -F: '{s[$2]+=$3} END{for(k in s) print k,s[k]}' p | sort
awk 'BEGIN{printf "%.3f\n", 2/3}'
awk 'BEGIN{printf("%s\n", "paren")}'
awk 'BEGIN{print("a","b")}'
awk 'BEGIN{print length}' < a
awk 'BEGIN { "pwd" | getline d; print (d != "") }'
awk '1;END{print "done"}' a
awk 'BEGIN{print substr("abc",2,0) "|"}'
awk 'BEGIN{$0="a b c"; print NF, $2; $2=""; print; print NF}'
awk 'BEGIN{$3="x"; print; print NF}'
awk '{$0=toupper($0); print $1}' a
awk 'BEGIN{print -1 " " -1}'
awk 'BEGIN{print 1 - -1, 2 -1}'
awk 'BEGIN{x="3x"; print x+0, +x, -x}'
awk 'BEGIN{print "a" > "o1"; print "b" >> "o1"; close("o1"); getline x < "o1"; print x}'
awk 'BEGINFILE{print FILENAME} ENDFILE{print FNR}' a c
awk 'BEGIN{while(1){if(++i>3)break; if(i==2)continue; print i}}'
awk 'BEGIN{delete a; a[1]; delete a; print length(a)}'
awk '{nextfile} END{print NR}' a c
awk 'BEGIN{fflush(); print "ok"}'
awk --version | head -1 | cut -c1-7
awk 'BEGIN{print strftime("%Z",0,1)}'
awk 'BEGIN{print toupper("straße"), tolower("ÉA")}'
awk -v, 1 a
awk '{ foo() }' /dev/null
awk 'BEGIN{print 1} { foo() }' a
awk 'BEGIN{ if (0) foo(); print 2}'
awk 'BEGIN{ foo(bar(1)); print 2}'
awk 'BEGIN{ x = foo() + 1; print 2}'
awk 'BEGIN { print 1 + x = 3 }'
awk 'BEGIN { print -x = 3 }'
awk 'BEGIN { print !x = 3 }'
awk 'BEGIN { print 1 && x = 3; print x }'
awk 'BEGIN { y = 2 < x = 3; print x, y }'
awk 'BEGIN { y = 2 x = 3; print x, y }'
awk 'BEGIN { y = 1 ? x = 3 : 2; print x, y }'
awk 'BEGIN { $1 $1 = 3; print }'
awk 'BEGIN { 2 * x += 3; print x}'
awk 'BEGIN { if (x = 2) print x; while (x -= 1) print x; for (i = 0; i < 2; i += 1) print i }'
awk 'BEGIN { x = 1 || y = 2; print x, y }'
awk 'BEGIN { print length(x = "abc") substr(y = "hello", 2) }'
awk 'BEGIN { (x) = 3; print x }'
awk 'BEGIN { $x++ = 3 }'
awk 'BEGIN { x = 1 in a; (1 in a) ? z = 1 : z = 2; print z }'
awk 'NR == 1, x = 0 { print }' j1
awk 'BEGIN { while ((getline line < "a") > 0) n += 1; print n; getline y < "a" x = 3 }'
awk 'BEGINFILE{ print $0, NF, FNR, NR } END { print $0 }' a j1
awk 'BEGINFILE{ getline; print }' a
awk 'BEGIN { print "a" | "sort"; print "b" | "sort " ; print "c" | "sort  "; print "a2" | "sort"; print "d" }'
awk 'BEGIN { print "a" | "sort"; print "b" > "/dev/stdout"; print "c"; print close("/dev/stdout"), close("/dev/stdout") }'
awk 'BEGIN { print "a" > "o"; print "b" | "sort - o" ; print "c" | "sort  "; }'
awk 'BEGIN { print "q"; print "m" | "sort"; "echo e; echo f" | getline y; print "z"; getline k < "a"; close("a"); print k }'
awk '{ print > "o" } END { while ((getline y < "o") > 0) n++; print n; system("cat o") }' a
awk '{ print > "o"; print } END { while (("cat o" | getline y) > 0) n++; print n }' a
awk 'BEGIN { v = 1e20 / 3; printf "%x|%15x|%-15x|%.3x|%#x|%015x|%+x|% X|%o|%u|%.0x\n", v, v, v, v, v, v, v, v, v, v, v; printf "%x %x %o %d\n", -2^63, -2^64, 2^64 - 2048, 2^70 }'
awk 'BEGIN { if (1) { print 1 }; else print 2 }'
awk 'BEGIN { if (0) print 1;; else print 2 }'
awk 'BEGIN { do { print 1 }; while (0) }'
awk 'BEGIN { do { print 1 } while (0) print 3 }'
printf 'ab\nabcdef\n' | awk 'BEGIN { FIELDWIDTHS = "2:1 1" } { print NF; for (i = 1; i <= NF; i++) printf "<%s>", $i; print "" }'
for w in '0 2' '1 0:2' '1 * 2' '* ' '1 2: 3' '1:2:3' '1 +2' '4294967296'; do awk -v w="$w" 'BEGIN { FIELDWIDTHS = w } { print NF, $1, $2 }' a; echo "$?"; done
awk 'BEGIN { $3 = ""; n = sub(/x/, "-", $5); print n, $0, NF }'
echo a b | awk -v OFS=- '{ n = gsub(/x/, "-", $3); print n, $0, NF; getline $5 < "nosuch"; print $0, NF; $1 = $1; print }'
echo a b c | awk '{ i = 1; sub(/a/, "X", $(i++)); print i, $0; gsub(/b/, "Y", $(i++)); print i, $0; sub(/q/, "", $(i++)); print i }'
awk 'BEGIN { a[0] = "foo"; a[1] = "boo"; i = 0; gsub(/o/, i++, a[i++]); print i, a[0], a[1]; gsub(/x/, "", a[i++]); print i, length(a) }'
awk 'BEGIN { while ((getline x[i++] < "a") > 0); print i, x[0], length(x); while (("echo a; echo b" | getline y[j++]) > 0); print j, y[1], length(y); getline z[1] < "nosuch"; print length(z) }'
echo a b c d | awk '{ i = 1; $(i) = i++; print i, $0; i = 1; $(i) = ++i; print i, $0; $(NF + 2) = $NF++; print }'
for f in '[ ]' 'b+' '|' '\\|' 'b' ': ' ' +' ''; do printf 'a b\nc d\n\ne\n' | awk -v RS= -v FS="$f" '{ print NF; print $1 "|" $2 }'; done
awk 'BEGIN { a["x"]; a[2]; a["y"]; PROCINFO["sorted_in"] = "@unsorted"; for (i in a) n++; print n; PROCINFO["sorted_in"] = "cmp"; for (i in b) print i; for (i in a) print i }'
awk 'BEGIN { a["x"] = 3; a[2] = 1; n = asort(a, b, ""); print n, b[1]; asorti(a, b, "@ind"); print "not here" }'
awk -v s=1 'BEGIN { s[1] = 2; print s[1] }'
awk '{ s[NR] = 2; print s[NR] }' a s=1 a
awk -v s=1 'function f(q) { q[1] = 2 } BEGIN { f(s); print "not here" }'
awk 'BEGIN { s = "dave"; print gensub(/.*/, "[&]", 2, s), gensub(/.*/, "[&]", "g", s), gensub(/a*/, "-", 3, s), gensub(/d*/, "-", 2, s), gensub(/$/, "-", 2, s), gensub(/e?$/, "-", 2, s), gensub(/x*/, "-", 5, s) }'
awk 'function t(v) { switch (v) { case 1: return "one"; case "a": return "A"; case /b/: return "re"; default: return "def" } } BEGIN { print t(1), t("1"), t("1 -1"), t("01"), t("a"), t("1b"), t(x) }'
echo 1 01 1.0 | awk 'function t(v) { switch (v) { case "01": return "s"; case 1: return "n"; case "": return "e"; default: return "d" } } { print t($1), t($2), t($3), t($1 ""), t($1 + 0), t(x) }'
awk 'BEGIN { switch (1) { case 0x10: print 1; case "16": print 2 } }'
awk 'BEGIN { switch (1) { default: print 1; default: print 2 } }'
awk 'BEGIN { switch (1) { case /a/: print 1; case /a/: print 2; case -1: print 3; case 1: print 4 } }'
awk 'BEGIN { print a[1 > 2] }'
printf '2024-01-02 x\n10 20\n9\nabc\n-3 z\n0\n\n2024-01-01\n' | awk '{ l[NR] = $0 } END { PROCINFO["sorted_in"] = "@val_num_asc"; for (k in l) print k, l[k]; PROCINFO["sorted_in"] = "@val_num_desc"; for (k in l) print k }'
awk 'BEGIN { a[1,2]; print !(1,2) in a, !(1,3) in a, (1,2) in a, 1 + (1,2) in a, -(1,2) in a, "x" (1,2) in a, (1,2) in a == 1, 2 ^ (1,2) in a }'
awk 'BEGIN { a[1,2]; if (!(1,2) in a) print "no"; else print "yes"; if (!((1,3) in a)) print "none"; if ((1,2) in a && !(2,2) in a) print "both" }'
awk 'BEGIN { print 3, (1,2) }'
awk 'BEGIN { print (1,2) (3) }'
awk 'BEGIN { print (1,2) > "/dev/stdout" }'
awk 'BEGIN { x = (1,2); }'
awk 'BEGIN { print -(1,2) }'
awk 'BEGIN { print (1,2) + 1 }'
awk 'BEGIN { print ((1,2)) }'
awk 'BEGIN { print ((1,2) in a) }'
awk 'BEGIN { printf("%s %s\n", 1, 2) > "/dev/stdout"; printf ("%s\n", 3) }'
awk 'BEGIN { if ((1,2)) print 1 }'
awk 'BEGIN { if (("a","b") in x) print 1; else print 0; for (k in x) print k }'
awk 'BEGIN { print 1 in a, !1 in a, !(1 in a), 1 + 1 in a }'
awk 'BEGIN { print "echo hi" | getline x, 1 }'
awk 'BEGIN { print ("echo hi" | getline); print ("echo hi" | getline x) x }'
awk 'BEGIN { "echo hi" | getline x; print x; while ("echo a; echo b" | getline y > 0) print y; if (("echo z" | getline w) > 0) print w }'
awk 'BEGIN { printf "%d %1$s\n", 1, 2 }'
awk 'BEGIN { printf "%2$s %1$s %%\n", 1, 2; x = sprintf("%s %1$s", 1) }'
awk 'BEGIN { print strftime("%N %q %-N %3N %%N %Y", 0, 1), strftime("%s %e", -86400.5, 1) }'
echo 7 8 | awk '{ x = 1; print $$x++, $0; print $- -x, $! !x, $-0 }'
echo 1 2 3 | awk '{ print $NF--, $0; print $($1)++, $0; print $$1, $$1++ }'
awk 'BEGIN { print "a"; if ("x" ~ "(a") print 1 }'
awk 'BEGIN { print "a"; print match("x", "[a") }'
awk 'BEGIN { print "a"; x = gsub("a{2,1}", "") }'
awk 'BEGIN { print "a"; if ("x" ~ /(a/) print 1 }'
awk 'BEGIN { print "a"; if ("a\\" ~ "a\\") print 1 }'
awk 'BEGIN { print split("a\\b", q, "\\"), split("a|b", q, "|"), "a\\b" ~ /a\\b/, "a\\b" ~ "a\\\\b" }'
echo 'abc abd' | awk '{ print $1 = index("abc", "c"); print $2 = length($1) == 1; print $1 = NF, $0; x = $3 = gsub(/a/, "b"); print x, $3 }'
awk 'BEGIN { x = y = index("ab", "b"); print x, y; a[1] = z = length("abc"); print a[1], z }'
awk 'BEGIN { print 10^23, 1e6^17, 1e16^7, 2^0.5, 2^-2, 0^-1, (-2)^3, 0^0, 7^30, 1.1^200, 2**10, 2^1024, -2^2, 10^-3, (-8)^(1/3) }'
awk 'BEGIN { inf = 2^1024; printf "%F %G %X %E %A %d %u %x %f %5.1f|%05d|%s|%o|%+d\n", inf, -inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf }'
echo 5 6 | awk '$0.1 + 0.2'
echo 5 6 | awk '{ print $0.1, $1.9, $0.1 + 0.2; $1.5 = "x"; print; $2.9 += 1; print }'
awk 'BEGIN { NF = -0.5; print "still here"; $0 = "a b c"; NF = 1.9; print }'
awk 'BEGIN { NF = -1; print "not here" }'
awk 'BEGIN { print (1,2) ? 1 : 2 }'
awk 'BEGIN { print (1,2) # c
print (3,4); print (5,6) | "cat" }'
awk 'BEGIN { if (1) print (1,2); else print (3,4) }'
awk 'BEGIN { printf ("%s %s\n", 1, 2) "x" }'
awk '{ c[$1]++ } END { for (k in c) print k, c[k] }' b
tr -s ' ' '\n' < long | awk '{ c[$0]++ } END { for (k in c) print c[k], k }'
awk 'BEGIN { for (i = 0; i < 500; i++) a["k" i]; for (k in a) print k }'
awk 'BEGIN { for (i = 0; i < 4000; i++) a[i % 7, i]; for (k in a) print k }' | tr '\034' ,
awk 'BEGIN { a["x"]; for (i = 20; i > 0; i--) a[i]; for (k in a) printf "%s ", k; b[7]; b["q"]; b[3]; b["p"]; b["é"]; for (k in b) printf "%s ", k; print "" }'
awk 'BEGIN { n = split("a n b o c p", w); for (i = 1; i <= n; i++) a[w[i]]; for (k in a) printf "%s ", k; PROCINFO["sorted_in"] = "@unsorted"; for (k in a) printf "%s ", k; print "" }'
awk '{ a[$0] } END { for (k in a) print k; for (k in a) for (i = 2; i < 9; i++) if (a[substr(k, 1, i)] != "") n++; for (k in a) print k }' a u
printf 'a b\nc d\n' > t; for p in '{print $1} END{print NR}' 'BEGIN{x=1} {print}' '/zz/' 'END{print}' $'{ if (1)\nprint 2}'; do awk "$p" t nope t 2>&1; awk "$p" nope t 2>&1; awk "$p" t . 2>&1; done; printf '{print}\n{next}' > p.awk; awk -f p.awk t nope 2>&1; awk .h t 2>&1; awk 'BEGIN{print .}' 2>&1; awk 'BEGIN{x = 1 . 2}' 2>&1
awk 'function f() { print "f" } function g() { print "g"; return 1 } function h(a) { print "h" a } BEGIN { f(g(), g()); h(1, x = 5, y[3]); print x, length(y) }'
awk 'function f(a,) { }'; echo $?
awk 'BEGIN { print close("x"), ERRNO; printf "" > "f"; print close("f"); print close("f"), ERRNO }'
echo '1,200 9 05' | awk '{ gsub(/,/, "", $1); print ($1 > 300), ($1 == 1200), !$1; $2 = sprintf("%.2f", $2); print ($2 > 10); $3 = "0"; print !$3, !$0, typeof($1), typeof($0); a[$1]; for (k in a) print (k == 1200) }'
echo '5,5 0' | awk '{ gsub(/,/, "."); print ($0 == 5.5), ($1 == 5.5), typeof($0); $0 = "0"; print !$0, !$1; x = $0; print x == "0.0", x < 00; $0 = 0; print !$0; n[gensub(/x/, "y", 1)]; $2 = 1; print typeof($0) }'
awk 'function c(i1, v1, i2, v2) { return v2 - v1 } BEGIN { a[1] = "3"; a[2] = "20"; a["x"] = "10"; n = asort(a, b, "c"); for (i = 1; i <= n; i++) print b[i]; PROCINFO["sorted_in"] = "c"; for (k in a) print k }'
awk 'BEGIN { IGNORECASE = 1; split("b A C a B", a); n = asort(a); for (i = 1; i <= n; i++) printf "%s ", a[i]; x["b"]; x["A"]; x["C"]; x["a"]; PROCINFO["sorted_in"] = "@ind_str_desc"; for (i in x) printf "%s ", i; IGNORECASE = "0"; print ("A" ~ /a/) }'
printf 'BEGIN {\r\n\tprint \\\r\n\t\t"hi"\r\n\tprint "hello \\\r\nworld"\r\n\tif ("foo" ~ /fo\\\r\no/) print "yes"\r\n}\r\n' > p.awk; awk -f p.awk
awk 'BEGIN { x = "s"; a = ("echo B" | getline x + 1); print a, x; a = ("echo C" | getline x - 2) * 2; print a, x; a = "echo D" | getline x "y"; print a, x }'
awk 'function average(a,  sum) { sum = a; return sum (3) } function sum(x) { return x + 1 } BEGIN { print average(4), sum(2) }'
awk 'BEGIN { print "aab" ~ /a\52b/, "a" ~ /^a\174b$/, "axb" ~ /a\x2eb/, "a\\b" ~ /a\134b/, "]" ~ /[a\135]/; printf "|%.-1f|%-+#0.-1f|%.-3d|\n", 1.5, 1.5, 5 }'
awk 'BEGIN { n = split("abc", a, "", s); print n, length(s), s[1] == ""; split("", a, "", s); print length(s) }'; awk 'function f(g) { return g() } function g() { } BEGIN { f(1) }'; echo $?
awk 'BEGIN { cmd = "sort"; for (i = 5; i > 0; i--) print i |& cmd; close(cmd, "to"); while ((cmd |& getline line) > 0) print "got", line; print close(cmd), close(cmd) }'
awk 'BEGIN { print "1+1" |& "bc"; "bc" |& getline x; print x; print "2*3" |& "bc"; "bc" |& getline x; print x, close("bc"); "exit 3" |& getline; print close("exit 3"); print "z" |& "cat >&2" }'
awk 'BEGIN { print close("x", "sideways") }'; echo $?
awk '{ g["a"] = 1 } 1 in g { print g(1) }' a; echo $?; awk 'BEGIN { b = 3; print b(1) }'; echo $?; awk 'BEGIN { print nope(1) }'; echo $?
awk 'BEGIN { print "x" |& "cat"; close("cat", "to"); print "y" |& "cat" }'; echo $?
awk 'ARGIND == 2 { print FNR ": " $0 } END { print ARGIND }' empty s1 x=1 s2
awk 'BEGINFILE { print ARGIND, FILENAME } ARGIND != 2 { ARGIND = 7; nextfile } END { print ARGIND, FNR }' s1 s2 a
mkdir lib; echo 'function twice(x) { return 2 * x }' > lib/twice.awk; printf '# comment\n  @include "twice" # once\n@include "twice.awk"; function four(x) { return twice(twice(x)) }\n' > lib/four; AWKPATH=.:lib awk '@include "four"; BEGIN { print four(5) }'; AWKPATH=lib awk -i twice -f four -e 'BEGIN { print four(3) }'; awk -i lib/twice 'BEGIN { print twice(1) }'; echo 'BEGIN { print "main" }' > lib/main.awk; AWKPATH=lib awk -f main
awk 'BEGIN { }'; mkdir lib; echo 'function f(x) { return 1 / x }' > lib/f.awk; printf '\n@include "f"\n' > lib/g.awk; export AWKPATH=lib:.; printf 'BEGIN { print "a" }\n' > a.awk; for p in 'BEGIN { f(0) }' 'BEGIN { f( }'; do awk -i g "$p"; awk -f a.awk -i g -e "$p"; awk -f a.awk -e "" -e "
$p"; done 2>&1; echo 'function f(f) { }' > lib/f.awk; awk -f lib/g.awk 2>&1; awk -i g '' 2>&1; printf '#\n@include "g"\n' > top; awk -f top 2>&1; awk '@include "top"' 2>&1; awk -i g -f g 2>&1; awk -i nope 1 2>&1; awk '@include "nope"' 2>&1; awk -f nope 2>&1; echo "$?"
awk 'function q() { exit 3 } function d() { print "d"; return "o" } function t() { print "t" } BEGIN { print t() > d(); print q() > "never" }'; echo $?; ls
awk 'BEGIN { f = "nope"; print @f("abc") }' 2>&1; awk 'BEGIN { print @f() }' 2>&1
awk 'function f(a, b) { return $0 ~ a } { print f(/x/, 1), f("o") } END { f(!/x/); f((/x/)); f(@/x/); f(/a/ && 1); f(1, /q/); g = "f"; @g(/x/); nope(/x/) }' s1 a 2>&1
