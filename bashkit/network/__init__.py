"""Network access under the host's control: NetworkPolicy says what may be reached, and all requests use one client."""

from bashkit.network.policy import NetworkPolicy, policy_of

__all__ = ["NetworkPolicy", "policy_of"]
