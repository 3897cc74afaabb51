"""httpx over the aiohttp transport and nothing else: what the transport alone allows."""

import asyncio

import httpx
from _common import MAX_TOKENS, MODEL, Stopwatch, arguments, question, report
from httpx_aiohttp import AiohttpTransport


async def ask_all(url: str, count: int, in_flight: int) -> int:
    numbers = iter(range(count))
    answered = 0

    async def worker(client: httpx.AsyncClient) -> None:
        nonlocal answered
        for number in numbers:
            body = {
                "model": MODEL,
                "messages": [{"role": "user", "content": question(number)}],
                "max_tokens": MAX_TOKENS,
                "temperature": 0.0,
            }
            response = await client.post(f"{url}/chat/completions", json=body)
            answered += bool(response.json()["choices"][0]["message"]["content"])

    limits = httpx.Limits(max_connections=in_flight)
    async with httpx.AsyncClient(transport=AiohttpTransport(limits=limits), timeout=60) as client:
        await asyncio.gather(*(worker(client) for _ in range(in_flight)))
    return answered


def main() -> None:
    options = arguments()
    with Stopwatch() as asking:
        answered = asyncio.run(ask_all(options.url, options.count, options.in_flight))
    report(answered, asking)


if __name__ == "__main__":
    main()
