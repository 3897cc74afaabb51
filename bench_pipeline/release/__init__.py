"""Assembling a benchmark: the one loader of authored items, and the prompt and gold sides.

Here belongs reading and checking what people authored, and splitting it into `items` (what a
model may see) and `gold` (what a grader needs). How items are made from books belongs to the
stages before; how they are put to a model, to `infer`.
"""
