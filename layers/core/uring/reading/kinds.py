"""The rules that are valid for each kind of list: HTML, JSON, RSS, Atom."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BeforeValidator,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StringConstraints,
    ValidationError,
)
from pydantic_core import InitErrorDetails, PydanticCustomError
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from uring.reading.rules import IdRule, PinnedSignal, RowRule, Rule, ValueRule, refusal

ListKind = Literal["html", "json", "rss", "atom"]
ShortText = Annotated[str, StringConstraints(max_length=100)]


def _check_scalar(value: Any) -> Any:
    # Otherwise the error would list one refusal for each type of value.
    if not isinstance(value, str | int | float | None):
        raise refusal("is not a single value", "write a text, a number, true, false or null")
    return value


Scalar = Annotated[
    StrictBool | StrictInt | StrictFloat | ShortText | None, BeforeValidator(_check_scalar)
]
Require = Annotated[Mapping[ShortText, Scalar], Field(max_length=20)]
Paths = tuple[tuple[str, ...], ...]

IMPLIED_ROWS: Final = {"rss": "item", "atom": "entry"}
"""The row selector of the kinds whose format defines it."""

_ITSELF: Final = "$"
KEY: Final = "$key"
"""The path to the key of a row, where the list is an object of objects."""
EACH: Final = "*"
"""The name, in the paths of rows and markup, for every member of a list or an object."""
_NO_NAME: Final = frozenset("[]()<>{}*#=~+|^$\"'\\/ \t\r\n")
_Place = tuple[str | int, ...]
Misfit = tuple[_Place, PydanticCustomError]
"""A place in a part of an entry, and the error there."""


@lru_cache(maxsize=4096)
def paths(select: str) -> Paths:
    """Split ``a.b, c`` into names: ``(("a", "b"), ("c",))``; ``$``, the value itself, has none."""
    return tuple(
        () if path.strip() == _ITSELF else tuple(path.strip().split("."))
        for path in select.split(",")
    )


def check_rules(part: RowRule | Rule | tuple[PinnedSignal, ...], kind: str | None) -> None:
    """Refuse rules that are invalid for this kind of list; a kind of None refuses nothing.

    Raises:
        ValidationError: every refusal with its place in ``part``.
    """
    if kind is None:
        return
    misfits = _of_html if kind == "html" else _of_json if kind == "json" else _of_feed
    refuse(
        ((*place, *inner), error)
        for place, rule in _rules_in(part)
        for inner, error in misfits(rule)
    )


def check_require(require: Require, kind: str | None, rows: RowRule | None = None) -> None:
    """Refuse conditions for answers that are not JSON, and conditions with an invalid path.

    Raises:
        ValidationError: every refusal with its place in ``require``.
    """
    if require and kind not in ("json", None) and (rows is None or rows.markup is None):
        error = refusal(f"is not allowed in {kind}", "remove it, or use expect.landmarks")
        refuse([((), error)])
    refuse(((path,), error) for path in require for error in _bad_path(path, _ONE_PATH))


def refuse(misfits: Iterable[Misfit]) -> None:
    """Raise the errors of a part of an entry; does nothing without errors.

    Raises:
        ValidationError: every refusal with its place.
    """
    details = [InitErrorDetails(type=error, loc=place, input=None) for place, error in misfits]
    if details:
        raise ValidationError.from_exception_data("Source", details)


def _rules_in(
    part: Rule | tuple[PinnedSignal, ...],
) -> Iterator[tuple[_Place, RowRule | ValueRule | PinnedSignal]]:
    if isinstance(part, RowRule | ValueRule | PinnedSignal):
        yield (), part
        if isinstance(part, IdRule):
            yield from ((("further", at), rule) for at, rule in enumerate(part.further))
    elif isinstance(part, tuple):
        yield from (((index,), signal) for index, signal in enumerate(part))
    else:
        for name, rule in part:
            if isinstance(rule, ValueRule):
                yield from (((name, *place), inner) for place, inner in _rules_in(rule))


def _of_html(rule: RowRule | ValueRule | PinnedSignal) -> Iterator[Misfit]:
    selectors: list[tuple[_Place, str | None]] = [(("select",), rule.select)]
    if not isinstance(rule, PinnedSignal):
        selectors += [(("drop", index), selector) for index, selector in enumerate(rule.drop)]
    if isinstance(rule, RowRule):
        selectors.append((("next",), rule.next))
        yield from _only("json", rule, ("script", "variable", "attribute"))
        if rule.markup is not None:
            yield from (
                (("markup",), error)
                for error in _bad_path(rule.markup, _JSON_PATH, is_of_rows=True)
            )
    for place, selector in selectors:
        if selector is not None and not _is_css(selector):
            yield place, _no_css(selector)
    if isinstance(rule, ValueRule) and rule.source_attribute is None and rule.part is not None:
        what, name = ("a call", "onclick") if rule.part == "argument" else ("an address", "href")
        yield (), refusal(f"{rule.part} reads {what}", f'add "attribute": "{name}"')


def _no_css(selector: str) -> PydanticCustomError:
    return refusal(
        f"{selector!r} is not a CSS selector",
        "check brackets and quotes; :contains(), ::before and a leading > do not work",
    )


def _of_json(rule: RowRule | ValueRule | PinnedSignal) -> Iterator[Misfit]:
    if not isinstance(rule, RowRule) and rule.attribute is not None:
        yield (
            ("attribute",),
            refusal("is not allowed in json", 'name the key itself: "select": "category.name"'),
        )
    if isinstance(rule, RowRule):
        yield from _only("html", rule, ("next", "markup"))
        if rule.script is not None and not _is_css(rule.script):
            yield ("script",), _no_css(rule.script)
    yield from _of_paths(rule, _JSON_PATH)


def _of_feed(rule: RowRule | ValueRule | PinnedSignal) -> Iterator[Misfit]:
    if isinstance(rule, RowRule):
        yield from _only("html", rule, ("next", "markup"))
        yield from _only("json", rule, ("script", "variable", "attribute"))
    yield from _of_paths(rule, _FEED_PATH)


def _only(kind: str, rule: RowRule, names: Iterable[str]) -> Iterator[Misfit]:
    for name in names:
        if getattr(rule, name) is not None:
            remedy = f'remove it, or set "kind": "{kind}"'
            yield (name,), refusal(f"is allowed in {kind} alone", remedy)


def _of_paths(rule: RowRule | ValueRule | PinnedSignal, example: str) -> Iterator[Misfit]:
    if not isinstance(rule, PinnedSignal) and rule.drop:
        yield (
            ("drop",),
            refusal("is not allowed outside html", 'remove it, or set "kind": "html"'),
        )
    if rule.select is not None:
        is_of_rows = isinstance(rule, RowRule) and example is _JSON_PATH
        found = _bad_path(rule.select, example, is_of_rows=is_of_rows)
        yield from ((("select",), error) for error in found)


_JSON_PATH: Final = 'write keys with dots between, such as "data.list"; "$" is the whole value'
_ONE_PATH: Final = 'write keys with dots between, such as "result.code"'
_FEED_PATH: Final = 'write element names without prefix, such as "title" or "author.name"'


def _bad_path(
    select: str, remedy: str, *, is_of_rows: bool = False
) -> Iterator[PydanticCustomError]:
    if "," in select and remedy is _ONE_PATH:
        yield refusal(f"{select!r} is several paths", "write one condition for each")
        return
    for path in paths(select):
        special = {EACH} if is_of_rows else set()
        names = [name for name in path if name not in special]
        if remedy is _JSON_PATH and not is_of_rows and path == (KEY,):
            continue
        if any(not name or not _NO_NAME.isdisjoint(name) for name in names) or (
            remedy is _FEED_PATH and (not path or ":" in "".join(path))
        ):
            yield refusal(f"{select!r} is not a path", remedy)
            return


@lru_cache(maxsize=4096)
def _is_css(selector: str) -> bool:
    try:
        LexborHTMLParser("<p>").css(selector)
    except (SelectolaxError, UnicodeEncodeError):
        return False
    return True
