"""From grades to scores: what each metric is, its interval, and which models it tells apart.

Here belongs the definition of metrics and coverage on whole frames; the formulas of intervals
and tests are `stats`. How a board looks belongs to `publish`.
"""
