"""``bashkit batch --engine ray`` on a cluster of two nodes on this machine, one of which is lost.

Not part of the whole suite, because Ray is large and slow to start: ``pip install 'bashkit-toolsets[ray]'; python -m pytest tests/real``.
"""

import json
import threading
import time
from contextlib import suppress

import pytest

from bashkit.batch.on_ray import RayPool
from bashkit.batch.run import Batch
from bashkit.batch.work import Setting

ray = pytest.importorskip("ray", reason="ray is an extra")

TOOLS = """\
import os, time

def double(args):
    time.sleep(0.02)
    return args["n"] * 2

def die(args):
    os.kill(os.getpid(), 9)
"""
TOOLSET = """\
version: 1
name: t
tools:
  - name: double
    effects: read
    input_schema: {type: object, properties: {n: {type: integer}}, required: [n]}
    callback: {python: raytools.double}
  - {name: die, effects: read, callback: {python: raytools.die}}
"""


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "raytools.py").write_text(TOOLS)
    (folder / "t.yaml").write_text(TOOLSET)
    return tmp_path


@pytest.fixture
def cluster():
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    yield made
    ray.shutdown()
    with suppress(Exception):
        made.shutdown()


def batch_of(place, *scripts):
    rows = place / "rows.jsonl"
    rows.write_text("".join(f"{json.dumps({'id': number, 'script': script})}\n" for number, script in enumerate(scripts)))
    return Batch.open(rows, place / "out.jsonl")


def results(place):
    found = [json.loads(line) for line in (place / "out.jsonl").read_text().splitlines()]
    return {row["row"]: row for row in found}, len(found)


def test_two_nodes_of_which_one_is_lost(place, cluster):
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    batch = batch_of(place, *(f"double --n {number}" for number in range(300)))
    pool = RayPool(Setting(place / "tools" / "t.yaml"), 2, cluster.address)
    out = place / "out.jsonl"

    def lose():
        while not out.exists() or out.read_bytes().count(b"\n") < 50:
            time.sleep(0.05)
        cluster.remove_node(second, allow_graceful=False)

    losing = threading.Thread(target=lose)
    losing.start()
    batch.run(pool, lambda: None)
    losing.join()
    found, count = results(place)
    assert count == len(found) == 300
    assert all(found[number]["stdout"] == f"{2 * number}\n" for number in range(300))


def test_an_actor_that_dies_costs_one_row(place):
    batch = batch_of(
        place, *(f"double --n {number}" for number in range(20)), "die", *(f"double --n {number}" for number in range(20))
    )
    batch.run(RayPool(Setting(place / "tools" / "t.yaml"), 1, None), lambda: None, ordered=True)
    found, count = results(place)
    assert count == 41
    assert found[20]["error"] == "crash"
    assert [row for row in found if found[row].get("error")] == [20]
