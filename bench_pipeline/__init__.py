"""bench-pipeline: build benchmarks of Indian knowledge for language models, and run them.

One folder a stage, in the order data moves: `release` (items and gold), `infer` (prompts and
completions), `grade`, `score`, `publish`. Below them stand the floors that stages share:
`providers` (asking a model), `storage`, `quality`, `stats`, `text` and, at the bottom,
`contracts`. Imports go one way, downwards, and stages never import each other: they meet in
tables. `definitions.py` composes it for Dagster; `cli` starts it from a shell.
"""
