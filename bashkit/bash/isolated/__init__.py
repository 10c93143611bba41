"""Sessions whose scripts run in sandbox processes: the host's half of ``bashkit.worker``."""
