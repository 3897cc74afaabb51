"""Running a benchmark, first half: `prompts` from items, `completions` from prompts and a model.

Here belongs what is asked and the table of what came back. How a model is reached belongs to
`providers`; whether an answer is right belongs to `grade`. No gold ever enters this folder.
"""
