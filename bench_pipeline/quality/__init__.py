"""Holding a frame to its expectations before it is published.

`expectations` says what is expected and validates with great-expectations; `gate` is the one door
through which every stage publishes. What a table's columns are belongs to `contracts`.
"""
