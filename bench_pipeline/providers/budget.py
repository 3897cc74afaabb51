"""A hard stop on money: reserve an upper bound before asking, settle by the reply."""

from decimal import Decimal

from bench_pipeline.contracts.roster import Prices
from bench_pipeline.providers.reply import Reply, Usage


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


def cost_of(usage: Usage, prices: Prices | None) -> Decimal | None:
    """Dollars of one reply: the provider's own figure, else tokens × prices, else unknown."""
    if usage.cost_usd is not None:
        return Decimal(str(usage.cost_usd))
    if prices is None or usage.prompt is None or usage.completion is None:
        return None
    cached = min(usage.cached or 0, usage.prompt) if prices.cached_input is not None else 0
    cached_price = prices.cached_input if prices.cached_input is not None else prices.input
    tokens = (usage.prompt - cached) * prices.input + cached * cached_price
    return (tokens + usage.completion * prices.output) / 1_000_000


def charged_for(cost: Decimal | None, bound: Decimal, reply: Reply) -> Decimal:
    """What the cap counts: the cost, or the bound where a try may have been billed unseen."""
    if cost is not None:
        return cost
    return bound if reply.may_be_billed else Decimal(0)
