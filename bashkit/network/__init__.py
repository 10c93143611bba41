"""The network, as far as the host opens it: what may be reached (NetworkPolicy), and the client that everything goes through."""

from bashkit.network.policy import NetworkPolicy

__all__ = ["NetworkPolicy"]
