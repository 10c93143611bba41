"""Makes ``grammar`` and ``oracle`` importable whichever way pytest is started, and keeps Hypothesis's own files out of the checkout."""

import sys
import tempfile
from pathlib import Path

from hypothesis.configuration import set_hypothesis_home_dir

sys.path.insert(0, str(Path(__file__).parent))
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "bashkit-hypothesis")
