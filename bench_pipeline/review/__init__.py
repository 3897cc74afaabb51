"""What reviewers said of made questions, and which of them go on.

Here belong the labels that people return and the rules that follow from them. Here does not belong
how packets are made for them, nor the review statuses of authored items (`release.statuses`).
"""
