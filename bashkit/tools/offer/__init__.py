"""What a host hands to a model: definitions in the form of its provider, and calls that always answer."""

from bashkit.tools.offer.offer import EXPOSURES, Exposure, Offer
from bashkit.tools.offer.offered import Answer, Offered

__all__ = ["EXPOSURES", "Answer", "Exposure", "Offer", "Offered"]
