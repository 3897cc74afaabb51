"""From chunks to question candidates: Agent 1, Agent 2, the gates between them, and a baseline.

Here belong the agents' prompts and what their replies mean, the deterministic gates that every
candidate passes, and the cloze generator that works without a model. Here does not belong how a
model is asked (`providers`), where a text came from (`extract`), or which questions are alike
(`dedup`).
"""
