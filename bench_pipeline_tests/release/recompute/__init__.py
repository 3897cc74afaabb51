"""Answers of the benchmark items, worked out again from the questions without the bank's golds."""
