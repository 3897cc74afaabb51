"""A prompt as a Jinja file: rendered strictly, in a sandbox, the same at every build."""

from pathlib import Path

from bench_pipeline.contracts.errors import InputError, shown


class PromptFile:
    """A Jinja file that people edit; `fields` are the names that it may use.

    Raises:
        InputError: it is missing, or no valid template.
    """

    def __init__(self, path: Path, fields: tuple[str, ...]) -> None:
        from jinja2 import StrictUndefined, TemplateError
        from jinja2.sandbox import SandboxedEnvironment

        self.path, self.fields = path, fields
        environment = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
        # a prompt that differs at every build would be asked, and paid for, at every run
        del environment.filters["random"], environment.globals["lipsum"]
        try:
            self._template = environment.from_string(path.read_text(encoding="utf-8-sig"))
        except (TemplateError, OSError, ValueError, RecursionError) as error:
            raise InputError(path, f"not a valid template: {error}") from error

    def render(self, **values: object) -> str:
        """The text, without blanks at its ends.

        Raises:
            InputError: the file asks for something that it is not given.
        """
        try:
            text = self._template.render({name: values[name] for name in self.fields})
            text.encode()
        except Exception as error:  # a template is a small program and may raise anything
            raise InputError(
                self.path,
                f"{type(error).__name__}: {shown(str(error))}",
                accepted=", ".join(self.fields),
            ) from error
        return text.strip()
