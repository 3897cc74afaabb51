"""Asking a model, whoever asks: inference, agents, judges and translation all come through here.

`prepare` turns messages into a `Request` whose identity is everything that is sent; `ask` sends
many of them with one retry and limit layer and hands every outcome to a sink before it counts.
A provider is one small module in `adapters`, named by the roster. What is asked and what an
answer means belong to the stages; where answers lie belongs to `storage`.
"""

from bench_pipeline.providers.asking import AskSummary, Progress, ask
from bench_pipeline.providers.conversation import Script, converse
from bench_pipeline.providers.request import Prompt, Request, prepare

__all__ = ["AskSummary", "Progress", "Prompt", "Request", "Script", "ask", "converse", "prepare"]
