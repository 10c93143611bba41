"""Network access under the host's control: NetworkPolicy says what may be reached, and all requests use one client."""

from bashkit.network.policy import NetworkPolicy

__all__ = ["NetworkPolicy"]
