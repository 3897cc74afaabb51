"""A hard stop on money: reserve an upper bound before asking, settle by the reply."""

from decimal import Decimal


class Budget:
    """Dollars that a run may spend. Single-threaded, as the event loop that uses it.

    What may have been billed without saying so (a reply without usage, a connection that broke
    after the request went out) stays charged at its bound: the cap is never exceeded by what is
    not known.
    """

    def __init__(self, max_usd: Decimal | None) -> None:
        self.max_usd = max_usd
        self.spent = Decimal(0)
        self.reserved = Decimal(0)

    def reserve(self, bound: Decimal) -> bool:
        """Set `bound` aside; False when the cap leaves no room for it."""
        if self.max_usd is not None and self.spent + self.reserved + bound > self.max_usd:
            return False
        self.reserved += bound
        return True

    def settle(self, bound: Decimal, cost: Decimal) -> None:
        """The request that `bound` was set aside for cost `cost`."""
        self.reserved -= bound
        self.spent += cost
