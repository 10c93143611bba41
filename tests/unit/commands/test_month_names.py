"""The language of the host changes nothing of what scripts print."""

import subprocess
import sys


def test_months_are_named_in_english_whatever_the_language_of_the_host_is():
    program = """
import calendar
calendar.month_name = ["", *["Monat"] * 12]
from bashkit import Bash
print(Bash().execute_sync("date -u -d @0 '+%B %b'; cal 1 1970 | head -n 1").stdout.split())
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "['January', 'Jan', 'January', '1970']\n"
