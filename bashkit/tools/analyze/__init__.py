"""What a script may do, found without running it."""

from bashkit.tools.analyze.analysis import Analysis, Call, File, Host, Unknown, analyze

__all__ = ["Analysis", "Call", "File", "Host", "Unknown", "analyze"]
