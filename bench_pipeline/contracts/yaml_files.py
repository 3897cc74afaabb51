"""YAML files that people edit, read strictly: safe tags only, no duplicate key, checked models."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from bench_pipeline.contracts.errors import InputError, shown

ModelT = TypeVar("ModelT", bound=BaseModel)


class _StrictLoader(yaml.SafeLoader):
    """Safe, and refuses a key that stands twice (plain YAML keeps the last one in silence)."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            if isinstance(key_node, yaml.ScalarNode):
                if key_node.value in seen:
                    raise yaml.MarkedYAMLError(
                        problem=f"the key '{key_node.value}' stands twice",
                        problem_mark=key_node.start_mark,
                    )
                seen.add(key_node.value)
        return super().construct_mapping(node, deep=deep)


def read_yaml(path: Path) -> Any:
    """The document in `path`.

    Raises:
        InputError: when the file is missing, not UTF-8 or not YAML, with the line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise InputError(path, "the file does not exist") from error
    except OSError as error:
        raise InputError(path, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(path, f"byte {error.start} is not UTF-8", accepted="UTF-8") from error
    try:
        return yaml.load(text, Loader=_StrictLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        problem = f"not valid YAML, found in line {line}: {error.problem}"
        raise InputError(path, problem) from error
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, LookupError) as error:
        raise InputError(path, f"not valid YAML: {shown(str(error))}") from error
    except RecursionError as error:
        raise InputError(path, "not valid YAML: nested too deeply") from error


def validate(model: type[ModelT], data: Any, path: Path, entry: str | None = None) -> ModelT:
    """`data` as a `model`; the first thing that is wrong becomes an `InputError`."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        # a misspelt field is also a missing one: the misspelling is what helps
        first = min(error.errors(), key=lambda found: found["type"] != "extra_forbidden")
        location = list(first["loc"])
        more = len(error.errors()) - 1
        # what a check over several fields found is the whole mapping, and tells nobody anything
        whole = first["type"] == "value_error" and isinstance(first["input"], dict)
        silent = first["type"] == "missing" or whole
        found = "" if silent else f", found {shown(first['input'])}"
        problem = f"{first['msg']}{found}" + (f" (and {more} more)" if more else "")
        accepted = None
        if first["type"] == "extra_forbidden":
            problem = "there is no such field" + (f" (and {more} more)" if more else "")
            accepted = ", ".join(sorted(_fields_at(model, location[:-1])))
        field = ".".join(str(part) for part in location) or None
        raise InputError(path, problem, entry=entry, field=field, accepted=accepted) from error


def _fields_at(model: type[BaseModel], location: list[Any]) -> list[str]:
    """The field names of the (nested) model that `location` leads to; of `model` if unclear."""
    current: type[BaseModel] = model
    for part in location:
        field = current.model_fields.get(str(part))
        if field is None:
            continue
        for candidate in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if isinstance(candidate, type) and issubclass(candidate, BaseModel):
                current = candidate
    return [info.alias or name for name, info in current.model_fields.items()]
