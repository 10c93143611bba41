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
awk '{ c[$1]++ } END { for (k in c) print k, c[k] }' b
tr -s ' ' '\n' < long | awk '{ c[$0]++ } END { for (k in c) print c[k], k }'
awk 'BEGIN { for (i = 0; i < 500; i++) a["k" i]; for (k in a) print k }'
awk 'BEGIN { for (i = 0; i < 4000; i++) a[i % 7, i]; for (k in a) print k }' | tr '\034' ,
awk 'BEGIN { a["x"]; for (i = 20; i > 0; i--) a[i]; for (k in a) printf "%s ", k; b[7]; b["q"]; b[3]; b["p"]; b["é"]; for (k in b) printf "%s ", k; print "" }'
awk 'BEGIN { n = split("a n b o c p", w); for (i = 1; i <= n; i++) a[w[i]]; for (k in a) printf "%s ", k; PROCINFO["sorted_in"] = "@unsorted"; for (k in a) printf "%s ", k; print "" }'
awk '{ a[$0] } END { for (k in a) print k; for (k in a) for (i = 2; i < 9; i++) if (a[substr(k, 1, i)] != "") n++; for (k in a) print k }' a u
