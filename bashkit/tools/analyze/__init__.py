"""What a script may do, found without running it."""

from bashkit.tools.analyze.analysis import Analysis, Call, File, Host, Unknown, analyze
from bashkit.tools.analyze.telling import told

__all__ = ["Analysis", "Call", "File", "Host", "Unknown", "analyze", "told"]
