"""Models as graders: what a judge is shown of a completion, and what its reply means.

Here belongs what makes a judge's verdict one that can be trusted, or counted as none: the fence
around the text that is judged, the schema, the one more try. Here does not belong what code can
decide (`grade`), nor what verdicts add up to (`score`).
"""
