"""Where bytes lie: tables (Parquet), paid answers (append-only segments), the DuckDB catalog.

Here belongs how things are written so that a crash or a bad frame loses nothing. What the
columns mean belongs to `contracts`; what is computed from them, to the stages.
"""
