"""What the rest of the code agrees on: table schemas, suite and roster files, verdicts, errors.

Here belong shapes and their checks. Here does not belong anything that computes a result, opens
a table or knows Dagster: this package imports nothing else of the project.
"""
