"""Bearer tokens for MCP servers with an address, which a command prints: it is asked again when the server refuses a token."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import httpx2

from bashkit.errors import ToolError
from bashkit.toolset.callbacks.executable.process import run_process

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from bashkit.toolset.callbacks.mcp.server import McpServer

_REFUSED = 401


class TokenCommand(httpx2.Auth):
    """Sends the token that a command prints.

    Args:
        server: The server, with the command.
        env: The environment of the command.
    """

    def __init__(self, server: McpServer, env: Mapping[str, str]) -> None:
        self._server = server
        self._env = env
        self._token = ""

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Send the request with the token; if that is refused, once more with a new one.

        Raises:
            ToolError: The command prints none.
        """
        sent = self._token or await self._fetch()
        request.headers["Authorization"] = f"Bearer {sent}"
        response = yield request
        if response.status_code == _REFUSED:
            if sent == self._token:  # no other request has a new one already
                await self._fetch()
            request.headers["Authorization"] = f"Bearer {self._token}"
            yield request

    async def _fetch(self) -> str:
        program, *words = self._server.token_command
        found = shutil.which(program, path=self._env.get("PATH"))
        if found is None:
            raise ToolError(f"the token command cannot run: there is no program {program} in {self._env.get('PATH')}")
        done = await run_process([found, *words], env=self._env, cwd=self._server.cwd, patience=self._server.timeout)
        token = done.stdout.decode("utf-8", "replace").strip()
        if done.status or not token or not token.isprintable() or " " in token:
            said = " ".join(done.stderr.decode("utf-8", "replace").split())[:200]
            why = done.note or (f"status {done.status}" if done.status else "it prints no token of one line")
            raise ToolError(f"the token command has failed: {why}" + (f" (it wrote: {said})" if said else ""))
        self._token = token
        return token
