#!/usr/bin/env python3
"""Count the words of a file."""

import sys
from pathlib import Path

print(len(Path(sys.argv[1]).read_text().split()))
