"""curl and wget: what a NetworkPolicy allows, against a server on loopback, which needs the policy's permission for private addresses."""

import http.server
import json
import threading

import pytest

from bashkit import Bash, NetworkPolicy
from bashkit.errors import DefinitionError

pytest.importorskip("httpx", reason="curl and wget need the extra 'http'")


DATE = "Thu, 02 Jan 2020 03:04:05 GMT"


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with what it was asked; /redirect?to=URL redirects, /big never ends, /none is missing."""

    def log_message(self, *args):
        pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        if self.path.startswith("/redirect"):
            self.send_response(302)
            self.send_header("Location", self.path.partition("to=")[2])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.path == "/none":
            self.send_response(404)
            self.send_header("Content-Length", "3")
            self.end_headers()
            self.wfile.write(b"no\n")
            return
        if self.path.startswith("/dated") and self.headers.get("if-modified-since") == DATE:
            self.send_response(304)
            self.end_headers()
            return
        seen = {
            "method": self.command,
            "path": self.path,
            "body": body,
            "headers": {key.lower(): text for key, text in self.headers.items()},
        }
        data = json.dumps(seen).encode() + b"\n" if self.path != "/big" else b"x" * 100_000
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        if self.path.startswith(("/dated", "/always")):
            self.send_header("Last-Modified", DATE)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = answer  # noqa: N815 - the names that http.server calls


@pytest.fixture(scope="module")
def port():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


@pytest.fixture
def run(port):
    policy = NetworkPolicy(
        allow=[f"127.0.0.1:{port}", f"localhost:{port}"],
        methods=["GET", "HEAD", "POST", "PUT"],
        headers={f"127.0.0.1:{port}": {"Authorization": "Bearer SECRET"}},
        max_response_bytes=50_000,
        allow_private=True,
    )

    def execute(script):
        return Bash(network=policy, env={"U": f"http://127.0.0.1:{port}", "L": f"http://localhost:{port}"}).execute_sync(script)

    return execute


CASES = [
    ("curl -s $U/a | jq -r .path", "/a\n", "", 0),
    (
        "curl -s -d a=b -d c=d $U/ | jq -c '[.method, .body, .headers[\"content-type\"]]'",
        '["POST","a=b&c=d","application/x-www-form-urlencoded"]\n',
        "",
        0,
    ),
    ("curl -s --json '{\"a\":1}' $U/ | jq -c '[.body, .headers.accept]'", '["{\\"a\\":1}","application/json"]\n', "", 0),
    ("curl -sG --data-urlencode 'q=a b&c' $U/s | jq -r .path", "/s?q=a+b%26c\n", "", 0),
    ("curl -s -u me:pw -H 'X-A: 1' $L/ | jq -c '[.headers.authorization, .headers[\"x-a\"]]'", '["Basic bWU6cHc=","1"]\n', "", 0),
    ("printf x > f; curl -s -T f $U/up | jq -c '[.method, .body]'", '["PUT","x"]\n', "", 0),
    ("curl -s -o f -w '%{http_code} %{size_download}\\n' $U/none; cat f", "404 3\nno\n", "", 0),
    ("curl -sSf $U/none", "", "curl: (22) The requested URL returned error: 404\n", 22),
    ('curl -sL "$U/redirect?to=/there" | jq -r .path', "/there\n", "", 0),
    ('curl -sSL --max-redirs 1 "$U/redirect?to=/redirect?to=/x"', "", "curl: (47) Maximum (1) redirects followed\n", 47),
    ("curl -sS $U/big", "", "curl: (63) Maximum file size exceeded\n", 63),
    ("curl -sS xyz://q", "", 'curl: (1) Protocol "xyz" not supported or disabled in libcurl\n', 1),
    ("curl -sS http://", "", "curl: (3) URL using bad/illegal format or missing URL\n", 3),
    (
        "curl --bogus",
        "",
        "curl: option --bogus: is unknown\ncurl: try 'curl --help' or 'curl --manual' for more information\n",
        2,
    ),
    ("wget -q -O - $U/a | jq -r .path", "/a\n", "", 0),
    ("wget -q $U/file; ls", "file\n", "", 0),
    ("wget -q $U/none", "", "", 8),
    ("wget -q --save-headers $U/h; head -n 1 h | tr -d '\\r'", "HTTP/1.0 200 OK\n", "", 0),
    ("wget -q --start-pos=2 $U/h; head -c 6 h", "method", "", 0),
    ("wget -q --start-pos=x $U/h", "", "wget: --start-pos: Invalid byte value ‘x’\n", 2),
    ("wget -q -x -nH --cut-dirs=1 $U/d/e/f; find e", "e\ne/f\n", "", 0),
    ("wget -q --default-page=def $U/d/; wget -q --delete-after $U/gone; ls", "def\n", "", 0),
    ("for i in 1 2 3; do wget -q --backups=2 $U/f; done; ls", "f\nf.1\nf.2\n", "", 0),
    (
        "echo '<a href=/a>x</a><img src=\"b/c.png\">' > l; wget -q -F -i l -B $U/d/; ls; jq -r .path c.png",
        "a\nc.png\nl\n/d/b/c.png\n",
        "",
        0,
    ),
    ("echo '<a href=/a>x</a>' > l; wget -q -F -i l", "", "l: Cannot resolve incomplete link /a.\nNo URLs found in l.\n", 0),
    ("printf '/a\\nx\\n' > l; wget -q -i l -B $U/d/; jq -r .path a x", "/a\n/d/x\n", "", 0),
    ("wget -q -E $U/page -O -| jq -r .path; wget -nv -h | head -n 1", "/page\nUsage: wget [OPTION]... [URL]...\n", "", 0),
    (
        "wget -qN $U/dated; date -ur dated +%FT%T; wget -N $U/dated 2>&1 | tail -n 2; ls",
        "2020-01-02T03:04:05\nFile ‘dated’ not modified on server. Omitting download.\n\ndated\n",
        "",
        0,
    ),
    (
        "wget -qN $U/dated; touch -d 2019-01-01 dated; wget -qN $U/dated; ls; jq -r '.headers[\"if-modified-since\"]' dated",
        "dated\nTue, 01 Jan 2019 00:00:00 GMT\n",
        "",
        0,
    ),
    (
        "wget -qN -P d $U/always; echo x >> d/always; wget -qN -P d $U/always; tail -n 1 d/always | cut -c 1; wget -N $U/f 2>&1 | grep -c 'time-stamps turned off'",
        "{\n1\n",
        "",
        0,
    ),
    (
        "wget -N -nc $U/f",
        "",
        "Can't timestamp and not clobber old files at the same time.\nUsage: wget [OPTION]... [URL]...\n",
        1,
    ),
    (
        "wget -q -N -O o $U/dated; jq -r .path o; wget -nv -N -O o $U/dated 2>&1 | head -n 2",
        "/dated\nWARNING: timestamping does nothing in combination with -O. See the manual\nfor details.\n",
        "",
        0,
    ),
    (
        "wget -qN $U/always; wget -qN $U/always; wget -N $U/always 2>&1 | tail -n 3",
        "Server ignored If-Modified-Since header for file ‘always’.\nYou might want to add --no-if-modified-since option.\n\n",
        "",
        0,
    ),
    (
        "wget -qN $U/dated; wget -qN --no-if-modified-since $U/dated; wget -N --no-if-modified-since $U/dated 2>&1 | tail -n 2",
        "Server file no newer than local file ‘dated’ -- not retrieving.\n\n",
        "",
        0,
    ),
    ("wget", "", "wget: missing URL\nUsage: wget [OPTION]... [URL]...\n\nTry `wget --help' for more options.\n", 1),
]


@pytest.mark.parametrize(("script", "stdout", "stderr", "status"), CASES)
def test_transfers(run, script, stdout, stderr, status):
    result = run(script)
    assert (result.stdout, result.stderr, result.exit_code) == (stdout, stderr, status)


def test_credentials_are_added_and_never_shown(run):
    result = run("curl -sv $U/")
    assert json.loads(result.stdout)["headers"]["authorization"] == "Bearer SECRET"
    assert "SECRET" not in result.stderr


def test_credentials_do_not_follow_a_redirect_to_another_host(run):
    result = run('curl -sL -H "X-Q: 1" "$U/redirect?to=$L/" | jq -c "[.headers.authorization, .headers.host]"')
    assert json.loads(result.stdout)[0] is None


REFUSALS = [
    ("curl -sS http://example.com/", "allow=['example.com']"),
    ('curl -sSL "$U/redirect?to=http://example.com/"', "allow=['example.com']"),
    ("curl -sS -X DELETE $U/", "methods=['DELETE']"),
]


@pytest.mark.parametrize(("script", "setting"), REFUSALS)
def test_a_refusal_names_the_setting_that_would_allow_it(run, script, setting):
    result = run(script)
    assert (result.stdout, result.exit_code) == ("", 7)
    assert setting in result.stderr


def test_the_network_is_off_by_default(port):
    result = Bash().execute_sync(f"curl -sS http://127.0.0.1:{port}/")
    assert (result.exit_code, result.stdout) == (7, "")
    assert "network access is off" in result.stderr
    assert "network: {allow: [127.0.0.1]} in the toolset file" in result.stderr


def test_private_addresses_are_refused_even_when_their_host_is_allowed(port):
    result = Bash(network=NetworkPolicy(allow=[f"127.0.0.1:{port}"])).execute_sync(f"curl -sS http://127.0.0.1:{port}/")
    assert result.exit_code == 7
    assert "private address" in result.stderr


@pytest.mark.parametrize(
    "address",
    [
        "10.0.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "192.168.1.1",
        "0.0.0.0",
        "0.1.2.3",
        "100.64.0.1",
        "172.16.0.1",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "198.18.0.1",
        "203.0.113.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::10.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::8.8.8.8",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "2001:0:7f00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:db8::1",
        "2606:4700::5efe:127.0.0.1",
        "2606:4700::200:5efe:10.0.0.1",
        "fe80::5efe:8.8.8.8",
        "100::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "ff0e::1",
    ],
)
def test_addresses_that_are_not_public(address):
    assert NetworkPolicy().private(address)


@pytest.mark.parametrize(
    "address",
    [
        "93.184.216.34",
        "2606:2800:220:1:248:1893:25c8:1946",
        "::ffff:93.184.216.34",
        "64:ff9b::93.184.216.34",
        "2002:5db8:d822::1",
        "2606:4700::5efe:93.184.216.34",
    ],
)
def test_public_addresses(address):
    assert not NetworkPolicy().private(address)


ENTRIES = [
    ("api.example.com", "https", "api.example.com", 443, True),
    ("api.example.com", "http", "api.example.com", 80, True),
    ("api.example.com", "https", "api.example.com", 8443, False),
    ("api.example.com:8443", "https", "api.example.com", 8443, True),
    ("https://api.example.com", "http", "api.example.com", 80, False),
    ("*.example.com", "https", "a.b.example.com", 443, True),
    ("*.example.com", "https", "example.com", 443, False),
    ("example.com", "https", "evil-example.com", 443, False),
]


@pytest.mark.parametrize(("entry", "scheme", "host", "port_number", "allowed"), ENTRIES)
def test_entries(entry, scheme, host, port_number, allowed):
    assert (NetworkPolicy(allow=[entry]).refusal("GET", scheme, host, port_number) is None) == allowed


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"allow": ["not a host"]}, "'not a host' is not a host"),
        ({"allow": ["example.com:0"]}, "'example.com:0' is not a host"),
        ({"allow": ["example.com:65536"]}, "'example.com:65536' is not a host"),
        ({"allow": [None]}, "allow must be a list of texts; None is not one"),
        ({"allow": "example.com"}, "allow must be a list of texts, not 'example.com'"),
        ({"allow": 1}, "allow must be a list of texts, not 1"),
        ({"methods": ["get"]}, "'get' is not a method"),
        ({"headers": ["a"]}, "headers are mappings"),
        ({"headers": {"example.com": "a: b"}}, "headers are mappings"),
        ({"headers": {"not a host": {"a": "b"}}}, "'not a host' is not a host"),
        ({"headers": {"example.com": {"a b": "c"}}}, "the header 'a b' for example.com is not a name"),
        ({"headers": {"example.com": {1: "c"}}}, "the header 1 for example.com is not a name"),
        ({"headers": {"example.com": {"a": 1}}}, "the header 'a' for example.com is not a name with a text"),
        (
            {"headers": {"example.com": {"a": "b\r\nc: d"}}},
            "the header 'a' for example.com is not a name with a text of one line",
        ),
    ],
)
def test_a_policy_that_cannot_be_understood(given, message):
    with pytest.raises(DefinitionError) as caught:
        NetworkPolicy(**given)
    assert str(caught.value).startswith(f"network: {message}")


def test_ports_from_the_first_to_the_last_and_lists_that_can_be_read_once():
    policy = NetworkPolicy(allow=iter(["example.com:1", "example.com:65535"]), methods=iter(["PUT"]))
    assert policy.public()["allow"] == ["example.com:1", "example.com:65535"]
    assert policy.public()["methods"] == ["PUT"]
    assert policy.refusal("PUT", "https", "example.com", 1) is policy.refusal("PUT", "https", "example.com", 65535) is None


def test_nobody_reads_credentials_in_a_policy():
    policy = NetworkPolicy(allow=["example.com"], headers={"example.com": {"Authorization": "Bearer 42"}})
    assert "42" not in repr(policy) + repr(policy.public())
    assert policy.credentials("https", "Example.com", 443) == {"Authorization": "Bearer 42"}
    assert policy.credentials("https", "other.example.com", 443) == {}
