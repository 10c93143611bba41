"""Scripts that do what they mean to, as models write them: no field in them is guessed, or each guess is tested."""

SHOP = {
    "customers": [
        {"id": 1, "name": "Ada", "email": "ada@example.com", "tier": "gold", "address": {"city": "Oslo", "zip": "0150"}},
        {"id": 2, "name": "Bo", "email": None, "tier": "free", "address": {"city": "Rome"}, "notes": "calls back"},
    ],
    "orders": [
        {"id": 10, "customer_id": 1, "total": 19.5, "status": "paid", "lines": [{"sku": "a", "quantity": 2, "price": 5.0}]},
        {"id": 11, "customer_id": 2, "total": 7.25, "status": "open", "lines": [{"sku": "b", "quantity": 1, "price": 7.25}]},
        {"id": 12, "customer_id": 1, "total": 3, "status": "open", "lines": [], "coupon": "X1"},
    ],
    "meta": {"count": 3, "next_page": None, "took_ms": 12},
}
ISSUES = [
    {
        "number": 7,
        "title": "Crash on start",
        "state": "open",
        "labels": [{"name": "bug"}, {"name": "ui"}],
        "user": {"login": "ada"},
        "assignee": None,
        "created_at": "2026-01-02T03:04:05Z",
        "comments": 3,
        "draft": False,
    },
    {
        "number": 9,
        "title": "Docs",
        "state": "closed",
        "labels": [],
        "user": {"login": "bo"},
        "assignee": {"login": "ada"},
        "created_at": "2026-02-02T03:04:05Z",
        "comments": 0,
        "pull_request": {"url": "https://example.com/9"},
        "draft": False,
    },
]
PODS = {
    "kind": "PodList",
    "items": [
        {
            "metadata": {"name": "web-1", "namespace": "prod", "labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "web:1"}]},
            "status": {"phase": "Running", "containerStatuses": [{"restartCount": 2, "ready": True}]},
        },
        {
            "metadata": {"name": "job-1", "namespace": "dev", "labels": {"app": "job", "team": "x"}},
            "spec": {"containers": [{"name": "job", "image": "job:2"}]},
            "status": {"phase": "Failed", "reason": "Evicted", "containerStatuses": [{"restartCount": 0, "ready": False}]},
        },
    ],
}
WEATHER = {
    "city": "Oslo",
    "current": {"temp_c": -3.5, "wind": {"speed": 4, "unit": "m/s"}},
    "daily": {"2026-01-01": {"low": -7, "high": -1}, "2026-01-02": {"low": -9, "high": -4}},
    "alerts": [],
    "note": '{"source": "met", "stations": [{"id": "s1"}]}',
}
STREAM = '{"level":"info","msg":"start","ms":3}\n{"level":"error","msg":"lost","code":5,"ms":40}\n{"level":"info","msg":"end","ms":7}\n'

RIGHT = {
    "shop": """\
.customers[].name
.customers | length
[.customers[].email] | length
.customers[] | .email // "none"
.customers[] | "\\(.name) <\\(.email // "no mail")>"
.customers[] | select(.tier == "gold") | .name
.customers[] | select(.tier == "platinum") | .name
.customers[] | select(.email != null) | .email
.customers[] | select(.email) | .email
.customers[] | select(.email | not) | .name
.customers[] | select(.notes) | .notes
.customers[] | .notes
.customers[] | .notes?
.customers[] | .phone?
.customers[] | .phone // empty
.customers[] | (.phone // .fax // "none")
.customers[] | select(has("phone")) | .phone
.customers[] | select(has("notes")) | .notes
.customers[] | if .phone then .phone else "none" end
.customers[] | if has("phone") then .phone else "none" end
.customers[] | if .phone == null then "no phone" else .phone end
.customers[] | .address.zip
.customers[] | .address.zip // "?"
.customers[] | {name, city: .address.city}
.customers[] | [.id, .name, .address.city] | @tsv
.customers[] | [.id, .name, (.phone // "")] | @csv
.customers | map({key: .name, value: .id}) | from_entries
.customers | map(.name) | join(", ")
.customers | map(select(.tier == "gold")) | length
.customers | sort_by(.name) | .[0].name
.customers | group_by(.tier) | map({tier: .[0].tier, n: length})
.customers | min_by(.id).name
.customers | max_by(.id) | .name
.customers | unique_by(.tier) | length
.customers | any(.tier == "gold")
.customers | all(.id > 0)
.customers | INDEX(.id) | .["1"].name
.customers | map(.id as $id | {id: $id})
[.orders[].total] | add
[.orders[] | .total] | add / length
.orders | map(.total) | max
.orders | map(.total) | add
.orders | length as $n | map(.total) | add / $n
.orders[] | select(.status == "open" and .total > 5) | .id
.orders[] | select(.status == "open" or .coupon == "X1") | .id
.orders[] | select(.coupon) | .id
.orders[] | select(.coupon == null) | .id
.orders[] | select(.discount == null) | .id
.orders[] | select(.discount != "none") | .id
.orders[] | .coupon
.orders[].lines[]
.orders[].lines[].sku
.orders[] | .lines | map(.quantity * .price) | add
.orders[] | .lines | map(.quantity * .price) | add // 0
.orders | map(.lines[].sku) | unique
.orders | map(select(.lines | length > 0)) | length
[.orders[] | select(.lines | any(.sku == "a")) | .id]
.orders | group_by(.customer_id) | map({customer: .[0].customer_id, total: (map(.total) | add)})
.orders | group_by(.status)[] | "\\(.[0].status): \\(length)"
reduce .orders[] as $o (0; . + $o.total)
reduce .orders[] as $o ({}; .[$o.status] += 1)
reduce .orders[] as $o ({}; .[$o.status] += $o.total) | .open
[foreach .orders[] as $o (0; . + $o.total)] | last
. as $all | .orders[] | . as $o | $all.customers[] | select(.id == $o.customer_id) | "\\(.name) \\($o.total)"
(.customers | map({(.id | tostring): .name}) | add) as $names | .orders[] | $names[.customer_id | tostring]
.orders | to_entries[] | "\\(.key) \\(.value.id)"
.orders | map(. + {big: (.total > 10)}) | .[0].big
.orders | map(.discount = 0) | map(.discount)
.orders | map(.total |= . * 2) | map(.total)
.orders | map(del(.lines)) | map(keys)
.orders | map({id, total}) | sort_by(-.total) | .[0]
.orders | map(select(.total >= 3)) | sort_by(.total) | reverse | .[].id
.orders[0] | to_entries | map(.key)
.orders[0] | keys
.orders[0] | has("coupon")
.orders[0] | with_entries(select(.value | type == "number"))
.orders[0] | {id, "total": .total}
.orders[0] | {(.status): .total}
.orders[:2] | map(.id)
.orders[-1].id
.orders | first | .id
first(.orders[] | select(.total > 5)) | .id
limit(2; .orders[]) | .id
[limit(2; .orders[].id)]
.orders | .[0] as {id: $i, total: $t} | [$i, $t]
.orders | map([.id, .status]) | .[] | @csv
.orders | @json
.orders | tojson | length
.meta.next_page
.meta.next_page // "last"
.meta | if .next_page == null then "done" else .next_page end
.meta.took_ms / 1000
.meta.next_cursor // empty
.error // empty
.error? // "ok"
if .error then .error else "ok" end
if .error? then "bad" else "good" end
if has("errors") then .errors[] else empty end
try .customers.name catch "no"
(.errors // []) | length
(.errors // [])[] | .message
.. | .email? // empty
.. | objects | select(has("sku")) | .sku
[.. | numbers] | length
[.. | .total? | numbers] | add
[paths(type == "number")] | length
getpath(["meta", "count"])
getpath(["meta", "nothing"])
path(.meta.count)
keys[]
to_entries[] | "\\(.key): \\(.value | length)"
with_entries(.value |= length)
map_values(length)
{n: (.orders | length), customers: [.customers[].name]}
def total: map(.total) | add; .orders | total
def name($id): .customers[] | select(.id == $id) | .name; name(1)
def first_of(f): [f][0]; first_of(.orders[].id)
.customers | map(select(.address.city | test("^O"))) | .[].name
.customers | map(select(.name | startswith("A"))) | length
.customers | map(.name | ascii_downcase) | sort
.customers | map(.email | values)
.customers | map(.phone | values)
.customers | map(.phone | strings) | length
[.customers[] | .phone | select(. != null)]
.customers | map(.phone) | map(values) | length
.customers[] | .phone as $p | if $p then $p else "none" end
.customers[] | [.name, .phone] | map(values) | join(" ")
del(.meta) | keys
.meta.count += 1 | .meta.count
.total = ([.orders[].total] | add) | .total
.orders | map(.lines |= length) | .[0].lines
.orders | [.[] | {id, n: (.lines | length)}]
.orders | map(.status) | unique | join(",")
[.orders[] | .status] | group_by(.) | map({(.[0]): length}) | add
[.orders[].lines[].quantity] | add
.orders | map(select(.id == (10, 12))) | length
.orders | map(.id) | index(11)
.orders | map(.id) | contains([10])
.orders | IN([])
.orders[1] | .total as $t | $t * 2
[.orders[] | if .total > 10 then "big" elif .total > 5 then "mid" else "small" end]
[.orders[] | .coupon // "none"] | unique
.orders | [.[] | select(.status | IN("paid", "open"))] | length
input_line_number
$__loc__.line
$ENV.HOME
env.HOME
""",
    "issues": """\
.[].title
.[0].user.login
.[] | select(.state == "open") | .number
.[] | select(.pull_request == null) | .number
.[] | select(.pull_request | not) | .number
.[] | select(.pull_request) | .pull_request.url
.[] | .pull_request.url
.[] | .assignee.login
.[] | .assignee.login // "nobody"
.[] | .assignee?.login
.[] | .milestone.title // "none"
.[] | .milestone?.title
.[] | select(.milestone.title? == "v1") | .number
.[] | select(.labels | map(.name) | index("bug")) | .number
.[] | select(any(.labels[]; .name == "bug")) | .number
.[] | select(.labels[]?.name == "bug") | .number
[.[].labels[].name] | unique
[.[] | .labels | length] | add
map({n: .number, labels: [.labels[].name]})
map(select(.comments > 1)) | length
map(.user.login) | group_by(.) | map({user: .[0], n: length}) | sort_by(-.n)
sort_by(.created_at) | reverse | .[0].number
map(.created_at[:10]) | unique
map(.created_at | fromdateiso8601) | max
map(.created_at | split("T")[0])
map(select(.draft == false)) | length
map(select(.locked == true)) | length
map(select(.locked != true)) | length
map(.body // "") | map(length) | add
.[] | "#\\(.number) \\(.title) [\\(.labels | map(.name) | join(","))]"
.[] | [.number, .user.login, .state] | @tsv
map({(.number | tostring): .title}) | add
to_entries | map({i: .key, n: .value.number})
[.[] | {number, title}] | .[0].title
length
.[1:] | .[0].number
map(has("pull_request"))
map(.state) | map({(.): 1}) | add
(map(.comments) | add) as $all | map(.comments * 100 / $all | floor)
""",
    "pods": """\
.items[].metadata.name
.items[] | select(.status.phase != "Running") | .metadata.name
.items[] | select(.status.phase == "Pending") | .metadata.name
.items[] | "\\(.metadata.namespace)/\\(.metadata.name) \\(.status.phase)"
.items[] | .status.reason
.items[] | .status.reason // "-"
.items[] | .metadata.labels.team
.items[] | .metadata.annotations // {} | length
.items[] | .metadata.labels | to_entries[] | "\\(.key)=\\(.value)"
.items[].spec.containers[].image
[.items[].status.containerStatuses[].restartCount] | add
.items[] | select(.status.containerStatuses[0].restartCount > 1) | .metadata.name
.items[] | select(all(.status.containerStatuses[]; .ready)) | .metadata.name
.items | group_by(.metadata.namespace) | map({ns: .[0].metadata.namespace, n: length})
.items | map(.status.phase) | group_by(.) | map("\\(.[0]) \\(length)")[]
[.items[] | {name: .metadata.name, images: [.spec.containers[].image]}]
.kind
.items | map(.metadata) | map(.name) | sort
.metadata.continue // empty
.items[0].metadata | {name, namespace}
""",
    "weather": """\
.current.temp_c
.current.wind | "\\(.speed) \\(.unit)"
.daily | to_entries[] | "\\(.key) \\(.value.low)..\\(.value.high)"
.daily["2026-01-01"].low
.daily["2026-03-01"]? // "no forecast"
.daily | keys
.daily | map(.high) | max
[.daily[].low] | min
.daily | to_entries | min_by(.value.low).key
.daily | map_values(.high - .low)
.daily | with_entries(.value = .value.high)
.alerts[] | .headline
.alerts | map(.severity) | unique
.alerts[0].headline // "none"
.alerts | length
.note | fromjson | .source
.note | fromjson | .stations[].id
[.alerts[].severity] | group_by(.) | map({s: .[0], n: length})
.current | .temp_c * 9 / 5 + 32 | round
""",
    "stream": """\
.msg
select(.level == "error") | .code
select(.code) | .msg
.code // 0
select(.ms > 5) | "\\(.msg) \\(.ms)"
{level, msg}
[.level, .msg] | @tsv
""",
}

SCRIPTS = [
    'x=$(shop | jq -r .error); if [ "$x" != "null" ]; then echo "$x"; fi',
    'x=$(shop | jq -r .error); [[ -z $x || $x == null ]] || echo "$x"',
    "if [ \"$(shop | jq -r '.error')\" = null ]; then echo fine; fi",
    'next=$(shop | jq -r \'.next\'); while [ "$next" != null ] && [ -n "$next" ]; do next=null; done',
    'e=$(shop | jq -r .error); case "$e" in null) echo ok;; *) echo "$e";; esac',
    "shop | jq -e .error > /dev/null || echo fine",
    "shop | jq --exit-status '.error' > /dev/null || echo fine",
    "shop | jq -s 'length'",
    "shop | jq -s '.[0].customers | length'",
    "shop | jq -c '.customers[]' | while read -r c; do jq -r .notes <<< \"$c\" | grep -v '^null' || true; done",
    "shop | jq -c '.orders[]' | while read -r o; do echo \"$o\" | jq -r '.coupon // \"none\"'; done",
    'for i in 0 1; do shop | jq -r ".customers[$i].name"; done',
    "d=$(shop); echo \"$d\" | jq -r '.customers[0].name'; echo \"$d\" | jq '.orders | length'",
    "shop > s.json; jq -r '.customers[].name' s.json",
    "shop > s.json; jq -r --arg t gold '.customers[] | select(.tier == $t) | .name' s.json",
    "shop > s.json; jq --argjson n 5 '[.orders[] | select(.total > $n)] | length' s.json",
    "d=$(shop); jq -n --argjson d \"$d\" '$d.meta.count'",
    "jq -n '{a: 1} | .b'",
    "jq -n '[1,2] | {sum: add} | .sum'",
    "jq -n --arg name x '{name: $name}'",
    "stream | jq -s 'map(select(.level == \"error\")) | length'",
    "stream | jq -s 'group_by(.level) | map({(.[0].level): length}) | add'",
    "stream | jq -n '[inputs.ms] | add'",
    "stream | jq -n 'reduce inputs as $l (0; . + $l.ms)'",
    "stream | jq -R 'fromjson? | .msg'",
    "printf 'a\\nb\\n' | jq -R .",
    "printf 'a,b\\n' | jq -R 'split(\",\") | {x: .[0], y: .[1]} | .x'",
    "echo '{}' | jq '.a = 1 | .a'",
    "echo '[]' | jq '.[0].name'",
    "echo 'null' | jq '.name'",
    "echo '{\"a\": null}' | jq '.a.b.c'",
    "echo 'not json' | jq .a || true",
]
