"""What runs inside a sandbox process: the scripts of a host that takes nothing on trust from here.

``bashkit.sandbox.zygote`` imports this room, calls ``preload`` once, forks, and calls ``serve`` in the fork.
"""

from __future__ import annotations

from bashkit.worker.preloading import preload
from bashkit.worker.serving import serve

__all__ = ["preload", "serve"]
