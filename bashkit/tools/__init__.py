"""Tools: definitions, arguments, and the ScriptedTool that makes commands of them."""
