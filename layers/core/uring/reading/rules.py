"""The rules of a config entry: the selector of its rows, and how their fields are read.

A rule with no key but its selector may be written as the selector: ``"title": "td a"``.
"""

import string
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StringConstraints,
    model_validator,
)
from pydantic_core import PydanticCustomError

from uring.reading.date_formats import DEFAULT_FORMATS, DateFormat, compile_format
from uring.reading.patterns import PatternRefused, compile_pattern
from uring.reading.steps import Steps

_LONGEST: Final = 300


def refusal(message: str, remedy: str) -> PydanticCustomError:
    """Return a validation error with its remedy."""
    return PydanticCustomError("refused", "{message}", {"message": message, "remedy": remedy})


def _check_selector(selector: str) -> str:
    # `uring.reading.kinds` checks the syntax, which depends on the kind of list.
    if "\0" in selector or not selector.strip():
        raise refusal("selects nothing", 'write for example "table tbody tr" or "data.list"')
    return selector


def _check_pattern(pattern: str) -> str:
    try:
        compile_pattern(pattern)
    except PatternRefused as error:
        raise refusal(error.message, error.remedy) from None
    return pattern


def _check_format(text: str) -> str:
    try:
        _compiled(text)
    except ValueError as error:
        message, _, remedy = str(error).partition("; ")
        raise refusal(message, remedy) from None
    return text


_compiled = lru_cache(maxsize=4096)(compile_format)


def compiled_formats(formats: Iterable[str]) -> tuple[DateFormat, ...]:
    """Return the compiled formats. They must be valid."""
    return tuple(_compiled(text) for text in formats)


Selector = Annotated[str, StringConstraints(max_length=_LONGEST), AfterValidator(_check_selector)]
PatternText = Annotated[
    str, StringConstraints(min_length=1, max_length=_LONGEST), AfterValidator(_check_pattern)
]
Format = Annotated[
    str, StringConstraints(min_length=1, max_length=60), AfterValidator(_check_format)
]
Literals = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Attribute = Annotated[
    str,
    StringConstraints(to_lower=True, max_length=100, pattern=r"^[A-Za-z_:][A-Za-z0-9_:.-]*$"),
]

Variable = Annotated[str, StringConstraints(max_length=100, pattern=r"^[A-Za-z_$][A-Za-z0-9_$.]*$")]


class Rule(BaseModel):
    """The base of all parts of an entry: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SelectorRule(Rule):
    """A rule that may be written as its selector alone."""

    @model_validator(mode="before")
    @classmethod
    def _from_selector(cls, data: Any) -> Any:
        return {"select": data} if isinstance(data, str) else data


class RowRule(SelectorRule):
    """The selector of a page's rows.

    Attributes:
        select: matches the rows.
        drop: a row that matches one of these, or contains a match, is not a notice: header rows
            (``th``), hidden rows, "no posts yet".
        next: html: the siblings after a row that belong to it, up to the next row: ``dd`` for
            rows ``dt``, ``tr.info`` for rows ``tr.title``.
        markup: html: the answer is JSON, and this is the path to the markup in it.
        script: json: the answer is a page, and this selects the script, or another element, that
            has the JSON: ``#__NEXT_DATA__``.
        variable: json: the JSON is what a script of the page assigns to this name, such as
            ``window.__INITIAL_STATE__``.
        attribute: json: the JSON is in this attribute of the element that ``script`` selects.
    """

    select: Selector
    drop: Annotated[tuple[Selector, ...], Field(max_length=20)] = ()
    next: Selector | None = None
    markup: Selector | None = None
    script: Selector | None = None
    variable: Variable | None = None
    attribute: Attribute | None = None

    @property
    def is_in_page(self) -> bool:
        """True if the rows are JSON inside an HTML page."""
        return self.script is not None or self.variable is not None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.attribute is not None and (self.script is None or self.variable is not None):
            raise refusal(
                "names an attribute without an element",
                'add "script", the selector of the element, and leave variable out',
            )
        return self


class ValueRule(SelectorRule):
    r"""The rule by which one value is read from a row.

    select → text or attribute → parameter, segment or argument → pattern → strip → empty

    Attributes:
        select: the first match in the row, or the row itself; None is the row itself.
        drop: inner elements whose text is ignored, such as "new" badges; html only.
        attribute: read this attribute instead of the text; not in json.
        parameter: read an address and take this query parameter.
        segment: read an address and take this part of its path: 1 is the first, -1 the last.
        argument: read a call such as ``view('cse', 775)`` and take this argument, from 1, without
            quotes.
        pattern: an RE2 regular expression, found anywhere; group 1, or the whole match without
            groups. ``\w``, ``\d`` and ``\b`` match ASCII only: ``\p{L}`` is any letter,
            ``\p{Hangul}`` a Korean one. There are no look-arounds and no back references.
        strip: literal texts removed from both ends, such as "[공지]".
        empty: literal texts that count as an empty value, such as "-" or "None".
    """

    reads_links: ClassVar[bool] = False
    select: Selector | None = None
    drop: Annotated[tuple[Selector, ...], Field(max_length=20)] = ()
    attribute: Attribute | None = None
    parameter: Literals | None = None
    segment: Annotated[StrictInt, Field(ge=-20, le=20)] | None = None
    argument: Annotated[StrictInt, Field(ge=1, le=20)] | None = None
    pattern: PatternText | None = None
    strip: Annotated[tuple[Literals, ...], Field(max_length=20)] = ()
    empty: Annotated[tuple[Literals, ...], Field(max_length=20)] = ()

    @property
    def source_attribute(self) -> str | None:
        """The attribute to read in html, or None for text."""
        return self.attribute

    @property
    def part(self) -> str | None:
        """The rule's key for a part of an address or call, or None for the whole value."""
        parts = ("parameter", "segment", "argument")
        return next((name for name in parts if getattr(self, name) is not None), None)

    @property
    def is_address(self) -> bool:
        """True if the value is a whole address."""
        return False

    @cached_property
    def steps(self) -> Steps:
        """The compiled rule, used for every row."""
        return Steps(
            select=self.select,
            attribute=self.attribute,
            is_link=self.reads_links,
            is_address=self.is_address,
            drop=self.drop,
            part=self.part,
            expression=None if self.pattern is None else compile_pattern(self.pattern),
            strip=self.strip,
            empty=self.empty,
        )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.drop and self.source_attribute is not None:
            raise refusal(
                "drop has no effect on an attribute",
                "remove drop, or remove attribute to read text",
            )
        parts = [self.parameter, self.segment, self.argument]
        if sum(part is not None for part in parts) > 1:
            raise refusal(
                "takes several parts of one value", "keep one of parameter, segment and argument"
            )
        if self.segment == 0:
            raise refusal("there is no segment 0", "write 1 for the first, -1 for the last")
        self._says_something()
        return self

    def _says_something(self) -> None:
        if self.select is None and self.attribute is None:
            raise refusal("has no selector and no attribute", 'add "select" or "attribute"')


class IdRule(ValueRule):
    """The notice's id; of several parts if no single value tells the notices apart.

    Attributes:
        further: the rules of the id's further parts, such as a number's year or section. The parts
            are joined with ``/``; in a part ``/`` is written ``%2F`` and ``%`` is written ``%25``.
    """

    further: Annotated[tuple[ValueRule, ...], Field(max_length=3)] = ()


class OptionalRule(ValueRule):
    """A value that rows may lack.

    Attributes:
        optional: if True a missing value is null; otherwise its row is skipped.
    """

    optional: StrictBool = False


class DateRule(OptionalRule):
    """A date.

    Attributes:
        formats: tried in order, as in ``strptime``, found anywhere in the text; or ``iso8601``,
            ``rfc822``, ``unix``, ``unix_ms``, ``ago``. A date without a year is the latest one at
            most three months after the first sight of the notice; a bare time is that day. A
            relative text is read at each check, and a known notice keeps its day while it fits.
    """

    formats: Annotated[tuple[Format, ...], Field(min_length=1, max_length=20)] = DEFAULT_FORMATS

    @cached_property
    def compiled(self) -> tuple[DateFormat, ...]:
        """The compiled formats."""
        return compiled_formats(self.formats)

    @cached_property
    def is_relative(self) -> bool:
        """True when a format reads texts that say how long ago something was."""
        return any(known.is_relative for known in self.compiled)


class LinkRule(ValueRule):
    """The notice's address: the ``href`` of the element that ``select`` finds, or a template.

    Attributes:
        template: an address with ``{id}`` (the notice's id) or ``{value}`` (this rule's value) in
            it, relative to the page.
        fragment: True keeps the part after ``#``, where it is the notice's address:
            ``/app/#/notice/400``.
    """

    reads_links: ClassVar[bool] = True
    template: Annotated[str, StringConstraints(min_length=1, max_length=1000)] | None = None
    fragment: StrictBool = False

    @property
    def source_attribute(self) -> str | None:
        """Links are read from ``href`` unless the rule names another attribute."""
        return self.attribute or "href"

    @property
    def is_address(self) -> bool:
        """True unless a part of the value goes into a template."""
        return self.template is None and self.part is None and self.pattern is None

    @property
    def reads(self) -> bool:
        """True when the rule reads the row: always, except for a template without ``{value}``."""
        return self.template is None or "{value}" in self.template

    def _says_something(self) -> None:
        if self.template is not None:
            _check_template(self.template, self.fragment)
        if self.reads:
            if self.select is None and self.attribute is None:
                raise refusal(
                    "has no selector and no attribute",
                    'add "select" (its href is read), or a "template" with {id}',
                )
        elif self.model_fields_set - {"template", "fragment"}:
            raise refusal(
                "reads a value that its template does not use",
                "put {value} into the template, or keep the template alone",
            )


def _check_template(template: str, fragment: bool) -> None:  # noqa: FBT001 - a rule's key
    if "#" in template and not fragment:
        raise refusal(
            "has a fragment, which a notice's link does not keep",
            "write the address that opens the notice by its path or query, or add "
            '"fragment": true if only the fragment differs',
        )
    try:
        names = [part[1:] for part in string.Formatter().parse(template) if part[1] is not None]
    except ValueError:
        names = [("", "", "")]
    usable = {("id", "", None), ("value", "", None)}
    if not names or not usable.issuperset(names) or "{{" in template or "}}" in template:
        raise refusal(
            f"the template {template!r} must have {{id}} or {{value}} and no other braces",
            'write for example "view.do?no={id}"; other braces as %7B and %7D',
        )


class PinnedSignal(SelectorRule):
    """One sign that a row is pinned, in an element of the row or in the row itself.

    With ``select`` alone, the element's existence is the sign. Otherwise exactly one of: its text
    is ``text``, its text (or ``attribute``) ``contains`` this, it is ``not_integer``, it is
    ``empty``.
    """

    select: Selector
    text: Literals | None = None
    attribute: Attribute | None = None
    contains: Literals | None = None
    not_integer: Literal[True] | None = None
    empty: Literal[True] | None = None

    @cached_property
    def only_exists(self) -> bool:
        """True when the element's existence is the sign."""
        return not (self.text or self.contains or self.not_integer or self.empty)

    @model_validator(mode="after")
    def _one_sign(self) -> Self:
        signs = (self.text, self.contains, self.not_integer, self.empty)
        if sum(sign is not None for sign in signs) > 1:
            raise refusal(
                "has several signs",
                "write one signal for each; a row is pinned when any of them shows",
            )
        if self.attribute is not None and self.only_exists:
            raise refusal(
                "names an attribute, but no text to find in it",
                'add "contains", or write the selector as [attribute]',
            )
        return self
