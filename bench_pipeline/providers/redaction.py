"""Takes a key out of whatever a provider hands back, before it is read or stored."""

import re
from dataclasses import replace

from bench_pipeline.providers.reply import Reply
from bench_pipeline.providers.transport import HttpReply

REMOVED = "[key removed]"
_SHORTEST_SECRET = 8


class Redactor:
    """Replaces one key: as it is, and as JSON encoders may escape its characters."""

    def __init__(self, key: str) -> None:
        written = "".join(_ways_to_write(character) for character in key)
        self._in_text = re.compile(written)
        self._in_bytes = re.compile(written.encode())

    def http(self, http: HttpReply) -> HttpReply:
        """The reply without the key, in headers and body; some providers echo what they refuse."""
        headers = {name: self.text(value) for name, value in http.headers.items()}
        content = self._in_bytes.sub(REMOVED.encode(), http.content)
        return HttpReply(http.status, headers, content)

    def reply(self, reply: Reply) -> Reply:
        """What was read, without the key: decoding may have put it together."""
        return replace(
            reply,
            text=self._optional(reply.text),
            reasoning_text=self._optional(reply.reasoning_text),
            finish_reason=self._optional(reply.finish_reason),
            provider_model=self._optional(reply.provider_model),
            fingerprint=self._optional(reply.fingerprint),
            error=self._optional(reply.error),
        )

    def text(self, text: str) -> str:
        """`text` without the key."""
        return self._in_text.sub(REMOVED, text)

    def _optional(self, text: str | None) -> str | None:
        return None if text is None else self.text(text)


def redactor_of(key: str | None) -> Redactor | None:
    """The redactor of `key`; none for the dummy keys of one's own servers ("EMPTY", "none").

    Taking those out would take words out of answers, and they are no secret.
    """
    return Redactor(key) if key is not None and len(key) >= _SHORTEST_SECRET else None


def _ways_to_write(character: str) -> str:
    """A pattern for one ASCII character: itself, backslash-escaped, or as \\u00XX."""
    return rf"(?:\\?{re.escape(character)}|\\u00(?i:{ord(character):02x}))"
