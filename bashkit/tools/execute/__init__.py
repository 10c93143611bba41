"""Tools for a host that run scripts: ScriptedTool, BashTool and DiscoveryTool."""
