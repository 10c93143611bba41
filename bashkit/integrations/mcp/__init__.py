"""Model Context Protocol: toolset files as a server, over standard input and output or over HTTP.

What needs the SDK (``pip install 'bashkit-toolsets[mcp]'``) is imported when a server is made.
"""

from bashkit.integrations.mcp.service import Service, Settings

__all__ = ["Service", "Settings"]
