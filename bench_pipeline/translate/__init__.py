"""Questions and answers in the languages of a suite: what is sent, what comes back, and its gates.

Here belong batches, their replies, the import of people's translations, the hard gates that both
pass, and the back-translation that ranks what people look at. Here does not belong how a model is
asked (`providers`) or how a translated item is put to a model under test (`infer`).
"""
