"""``bashkit serve`` under load: very many clients at once over HTTP.

    python -m tests.bench.serve [--clients 1000] [--seconds 30] [--isolation inline|process]

Each client sends one script after the other, without a pause between them. What is printed: answers a second, percentiles of the time
that one takes, the memory of the server (with its sandbox processes), and what went wrong. The status is 1 if anything did.
"""

import argparse
import asyncio
import collections
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import httpx2

from tests.bench.soak import memory

SCRIPTS = [
    "get_user --id 1 | jq -r .name",
    "for id in 1 2 3; do get_user --id $id | jq -r .email; done | sort",
    "list_users --tier gold --limit 5 | jq -r '.[].name' | tr a-z A-Z | head -n 3",
    "low_stock --limit 3 | jq 'length'; seq 100 | awk '{ s += $1 } END { print s }'",
]
HEADERS = {"Accept": "application/json, text/event-stream"}
STEP = 5.0  # seconds between two looks at the server's memory


async def client(http, url, end, taken, wrong, number):
    """Send scripts until the end."""
    turn = number
    while time.monotonic() < end:
        script = SCRIPTS[turn % len(SCRIPTS)]
        turn += 1
        call = {
            "jsonrpc": "2.0",
            "id": turn,
            "method": "tools/call",
            "params": {"name": "shop", "arguments": {"commands": script}},
        }
        begin = time.perf_counter()
        try:
            answer = await http.post(url, json=call)
            taken.append(time.perf_counter() - begin)
            messages = [json.loads(line.removeprefix("data: ")) for line in answer.text.splitlines() if line.startswith("data: ")]
            result = messages[-1]["result"]["structuredContent"]
            if result["exit_code"] or not result["stdout"]:
                wrong[f"status {result['exit_code']}: {result['stderr'][:80]}"] += 1
        except (httpx2.HTTPError, ValueError, LookupError) as error:
            wrong[type(error).__name__ + ": " + str(error)[:80]] += 1


async def watch(process, end, sizes):
    """Note the server's memory."""
    while time.monotonic() < end:
        await asyncio.sleep(min(STEP, max(0.0, end - time.monotonic())))
        sizes.append(memory(process.pid))


async def load(process, url, clients, seconds):
    """Run the clients; returns the times, what was wrong, and the sizes."""
    taken, wrong, sizes = [], collections.Counter(), []
    end = time.monotonic() + seconds
    limits = httpx2.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx2.AsyncClient(headers=HEADERS, timeout=60, limits=limits) as http:
        await asyncio.gather(
            watch(process, end, sizes), *(client(http, url, end, taken, wrong, number) for number in range(clients))
        )
    return taken, wrong, sizes


def main():
    """Start the server, load it, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.serve", description="Load a server with very many clients.")
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--isolation", choices=["inline", "process"], default="inline")
    options = parser.parse_args()
    command = [sys.executable, "-m", "bashkit", "serve", "toolsets/shop.yaml", "--transport", "http", "--port", "0"]
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen([*command, "--isolation", options.isolation], stderr=log, env={**os.environ, "NO_COLOR": "1"})
        try:
            url = address(process, log)
            taken, wrong, sizes = asyncio.run(load(process, url, options.clients, options.seconds))
        finally:
            process.terminate()
            process.wait()
    parts = statistics.quantiles(taken, n=100)
    print(f"{options.clients} clients, {options.seconds:g} s: {len(taken) / options.seconds:.0f} answers a second")
    print(
        f"ms: median {1000 * parts[49]:.0f}, 95 % {1000 * parts[94]:.0f}, 99 % {1000 * parts[98]:.0f}, most {1000 * max(taken):.0f}"
    )
    half = len(sizes) // 2
    early, late = (statistics.median(part) / (1 << 20) for part in (sizes[:half] or sizes, sizes[half:] or sizes))
    print(f"memory of the server: {early:.0f} MB in the first half, {late:.0f} MB in the second")
    print("\n".join(f"wrong: {count} times {what}" for what, count in wrong.most_common()) or "nothing went wrong")
    return 1 if wrong else 0


def address(process, log):
    """Where the server listens, once it says so."""
    while process.poll() is None:
        log.seek(0)
        found = re.search(r"listening at (\S+)", log.read())
        if found:
            return found[1]
        time.sleep(0.05)
    raise SystemExit("the server has not begun")


if __name__ == "__main__":
    sys.exit(main())
