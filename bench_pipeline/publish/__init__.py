"""What readers see: the leaderboard, and the DuckDB catalog over all tables.

Nothing is measured here: every number was a row of `scores` or `comparisons` before.
"""
