"""Tools for a host: scripts run by ScriptedTool, BashTool and DiscoveryTool."""
