"""The JSON Schema of a configuration file, for editors, made from the models of its entries.

It describes the shape of a file. Only the loader can judge a selector, a date format or a pattern;
`uring config check` reports those.
"""

import inspect
import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any, Final, cast

from pydantic import BaseModel

from uring.reading.kinds import IMPLIED_ROWS
from uring.reading.rules import SelectorRule
from uring.seeds.partition import CATEGORY, COUNTRY
from uring.sources.config import SOURCE_LIMIT
from uring.sources.entry import Entry, keys_of
from uring.sources.presets import Presets
from uring.sources.shards import SHARD_LIMIT, SHARDS
from uring_local.entries.family import ConfiguredFamily

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
# Derived from id and url unless they are given.
_DERIVED: Final = frozenset({"base_url", "topic"})
# A preset cannot fill these in.
_HEAD: Final = ("id", "name", "url")
# The checks that the models make in functions, where a schema can express them.
_CHECKED: Final[dict[str, dict[str, Any]]] = {
    "id": {"pattern": r"^[a-z0-9][a-z0-9_-]{0,63}$"},
    **{name: {"pattern": r"\S"} for name in ("name", "college")},
    "url": {"pattern": "^[hH][tT][tT][pP][sS]?://[!-~]+$"},
    "base_url": {"pattern": "^[hH][tT][tT][pP][sS]?://[!-~]+$"},
    "topic": {"pattern": r"^[a-zA-Z0-9\-_.~%]{1,900}$"},
    "country": {"pattern": f"^{COUNTRY}$"},
    "category": {"pattern": f"^{CATEGORY}$"},
}
_BOUNDS: Final = {
    "description": "the first ids of the further files, in the order of `id.`; "
    "`uring config split` writes them",
    "type": "array",
    "maxItems": SHARD_LIMIT,
    "items": _CHECKED["id"],
}
_WORDS: Final = {"None": "null", "True": "true", "False": "false"}
_ATTRIBUTE: Final = re.compile(r"^(\w+): (.+(?:\n    .+)*)", re.MULTILINE)


def schema_of(family: ConfiguredFamily[Any]) -> dict[str, Any]:
    """Return the schema, draft 2020-12, of a family's whole file."""
    entry = family.model
    schema = entry.model_json_schema(mode="validation")
    parts: dict[str, Any] = schema.pop("$defs", {})
    parts[entry.__name__] = schema
    for model in _models(entry):
        parts[model.__name__] = _described(model, parts[model.__name__])
    source = parts[entry.__name__]
    for name, more in {**_CHECKED, "interval_minutes": family.interval}.items():
        if name in source["properties"]:
            source["properties"][name] |= more
    if issubclass(entry, Entry):
        _describe_page(source, parts, entry)
    return {
        "$schema": _DIALECT,
        "title": family.title,
        "type": "object",
        "required": [family.key],
        "additionalProperties": False,
        "properties": {
            "$schema": {"type": "string", "description": "the address of this schema"},
            **{name: source["properties"][name] for name in entry.of_file},
            **({SHARDS: _BOUNDS} if entry.is_sharded else {}),
            family.key: {
                "type": "array",
                "maxItems": SOURCE_LIMIT,
                "items": {"$ref": f"#/$defs/{entry.__name__}"},
            },
        },
        "$defs": dict(sorted(parts.items())),
    }


def schema_text(family: ConfiguredFamily[Any]) -> str:
    """Return the text of a family's schema file, such as ``config/sitemap.schema.json``."""
    return json.dumps(schema_of(family), ensure_ascii=False, indent=2) + "\n"


def _describe_page(
    source: dict[str, Any], parts: dict[str, dict[str, Any]], entry: type[Entry]
) -> None:
    """Add to an entry's schema that a preset fills in missing keys."""
    needed = [name for name in source["required"] if name not in _HEAD]
    source["required"] = list(_HEAD)
    source["properties"]["preset"] = {
        "description": source["properties"]["preset"]["description"],
        "enum": [*entry.presets, None],
        "default": None,
    }
    fields = cast("type[BaseModel]", entry.model_fields["fields"].annotation).__name__
    source["anyOf"] = list(_complete(needed, parts[fields].pop("required"), entry.presets))


def _complete(keys: list[str], fields: list[str], presets: Presets) -> Iterator[dict[str, Any]]:
    """Yield the schemas of a complete entry.

    It has rows and fields of its own, or a feed's kind and fields, or a preset and the fields that
    the preset lacks.
    """
    whole: dict[str, Any] = {"required": keys, "properties": {"fields": {"required": fields}}}
    yield whole
    feed = {"kind": {"enum": list(IMPLIED_ROWS)}, "fields": {"required": fields}}
    yield {"required": ["kind", *(key for key in keys if key != "rows")], "properties": feed}
    by_lack: dict[tuple[str, ...], list[str]] = {}
    for name, preset in presets.items():
        lack = tuple(field for field in fields if field not in preset.get("fields", {}))
        by_lack.setdefault(lack, []).append(name)
    for lack, names in by_lack.items():
        whole = {"required": ["preset"], "properties": {"preset": {"enum": names}}}
        if lack:
            whole["required"] = ["preset", "fields"]
            whole["properties"]["fields"] = {"required": list(lack)}
        yield whole


def _models(root: type[BaseModel]) -> list[type[BaseModel]]:
    models = [root]
    for model in models:
        for field in model.model_fields.values():
            models += [part for part in _models_in(field.annotation) if part not in models]
    return models


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in getattr(annotation, "__args__", ()):
        yield from _models_in(argument)


def _described(model: type[BaseModel], schema: dict[str, Any]) -> dict[str, Any]:
    """Return a model's schema with the docstring's texts, without titles and derived keys.

    A selector rule may also be a text, the selector alone.
    """
    texts = _texts(model)
    schema.pop("title")
    parts = schema.get("properties", {})
    if parts:
        schema["properties"] = {name: parts[name] for name in keys_of(model)}
    for name, part in parts.items():
        part.pop("title", None)
        if isinstance(part.get("default"), dict):
            del part["default"]
        if name in texts:
            part["description"] = texts[name]
    if "required" in schema:
        schema["required"] = [name for name in schema["required"] if name not in _DERIVED]
    description = {"description": _summary(model)}
    schema.pop("description", None)
    if not issubclass(model, SelectorRule):
        return description | schema
    selector = {"type": "string", "minLength": 1, "description": "the selector alone"}
    return description | {"anyOf": [selector, schema]}


def _summary(model: type[BaseModel]) -> str:
    return _plain((inspect.getdoc(model) or "").split("\n\n")[0])


def _plain(text: str) -> str:
    """Return a docstring's text in one line with JSON's constants: ``null`` for ``None``."""
    for word, instead in _WORDS.items():
        text = re.sub(rf"\b{word}\b", instead, text)
    return " ".join(text.replace("``", "").split())


def _texts(model: type[BaseModel]) -> dict[str, str]:
    """Return each field's text in the docstrings; a subclass's text replaces its base's."""
    texts: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, BaseModel):
            _, _, attributes = inspect.cleandoc(base.__doc__ or "").partition("Attributes:\n")
            for name, text in _ATTRIBUTE.findall(textwrap.dedent(attributes)):
                texts[name] = _plain(text)
    return texts
