"""What a script may do, found without running it."""

from bashkit.tools.analyze.analysis import analyze, analyze_python
from bashkit.tools.analyze.findings import Analysis, Call, File, Host, Unknown
from bashkit.tools.analyze.telling import told

__all__ = ["Analysis", "Call", "File", "Host", "Unknown", "analyze", "analyze_python", "told"]
