"""Takes a key out of whatever a provider hands back, before it is read or stored."""

from bench_pipeline.providers.transport import HttpReply

REMOVED = "[key removed]"


class Redactor:
    """Replaces one key, as it is and as JSON may escape it."""

    def __init__(self, key: str | None) -> None:
        self._forms = sorted({key, key.replace("/", "\\/")}, reverse=True) if key else []
        self._bytes = [form.encode() for form in self._forms]

    def clean(self, http: HttpReply) -> HttpReply:
        """The reply without the key, in headers and body; some providers echo what they refuse."""
        content = http.content
        for form in self._bytes:
            if form in content:
                content = content.replace(form, REMOVED.encode())
        headers = {name: self.text(value) for name, value in http.headers.items()}
        return HttpReply(http.status, headers, content)

    def text(self, text: str) -> str:
        """`text` without the key."""
        for form in self._forms:
            text = text.replace(form, REMOVED)
        return text
