"""Running: commands to closures, and what they do when they run (bash(1), SHELL GRAMMAR, COMMAND EXECUTION).

Each kind of command is declared by the module that runs it (``compiler.compiles``); importing the package brings them together.
"""

from bashkit.interp.run import conditionals, functions, loops, menu, pipelines, simple_commands, substitution

__all__ = ["conditionals", "functions", "loops", "menu", "pipelines", "simple_commands", "substitution"]
