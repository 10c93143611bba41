"""A small MCP server (extra mcp): what any server offers becomes tools."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("clock")


@server.tool()
def add_hours(hour: int, hours: int) -> int:
    """Add hours to an hour of the day."""
    return (hour + hours) % 24


if __name__ == "__main__":
    server.run()
