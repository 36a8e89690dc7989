"""Style sheets of a page, to find text that is surely hidden: rules by element, class and id.

Selectors of elements, classes and ids are known, alone or combined by blanks and ``>``. Of two
rules the more specific one holds, then the later one; an element's own style and ``!important``
come first. Every other rule is ignored, such as rules in a block of ``@media`` or with ``:hover``:
the properties that it may set to show text are in doubt, and a property in doubt does not hide.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from uring.extract.readers.hidden import ALIKE, INHERITED, PROPERTIES, UNKNOWN, Ink, declarations

_SKIPPED: Final = re.compile(
    r"""/\*.*?(?:\*/|\Z)|<!--|-->|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|url\([^)"']*\)?""",
    re.DOTALL | re.IGNORECASE,
)
_STATEMENTS: Final = re.compile(r"(?:\s*@[^;]*;)*\s*")
_BRACE: Final = re.compile(r"[{}]")
_COMPOUND: Final = re.compile(r"([a-z][a-z0-9-]*|\*)?((?:[.#]-?[^\W\d][\w-]*)*)", re.IGNORECASE)
_PART: Final = re.compile(r"([.#])([\w-]+)")
_COMBINED: Final = re.compile(r"(\s*>\s*|\s+)")
_GENERATED: Final = re.compile(r"::?(?:before|after)\s*\Z", re.IGNORECASE)
_MOST_RULES: Final = 20_000
_MOST_PARTS: Final = 15
# Limits of time; beyond them every sheet is in doubt.
_MOST_COMPARED: Final = 3_000_000

Specificity = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class StyledElement:
    """What selectors see of an element, and what its styles say.

    Attributes:
        above: the element around it.
        is_hidden: whether it is hidden with all that is in it.
        ink: what its text inherits.
    """

    name: str
    id: str
    classes: frozenset[str]
    above: "StyledElement | None" = None
    is_hidden: bool = False
    ink: Ink = field(default_factory=Ink)


@dataclass(frozen=True, slots=True)
class _Compound:
    name: str
    id: str
    classes: frozenset[str]
    is_child: bool  # of what the compound before it selects

    def fits(self, element: StyledElement) -> bool:
        return (
            self.name in ("", "*", element.name)
            and self.id in ("", element.id)
            and self.classes <= element.classes
        )


@dataclass(frozen=True, slots=True)
class _Rule:
    compounds: tuple[_Compound, ...]
    specificity: Specificity
    order: int
    usual: Mapping[str, str]
    urgent: Mapping[str, str]


@dataclass(slots=True)
class StyleSheets:
    """The rules of a page, found by what they need of an element.

    Attributes:
        has_script: whether a script may change the page: then rules of the whole page and
            transparent letters do not hide.
        doubts: properties that rules which are not known may set.
    """

    has_script: bool = False
    doubts: set[str] = field(default_factory=set)
    _rules: dict[str, list[_Rule]] = field(default_factory=dict)
    _count: int = 0
    _compared: int = 0

    @property
    def is_in_doubt(self) -> bool:
        """True when rules that are not known may set anything."""
        return self.doubts >= PROPERTIES

    def doubt(self) -> None:
        """Let no sheet hide anything, as beside a sheet that is not read."""
        self.doubts |= PROPERTIES

    def add(self, sheet: str, *, is_known: bool) -> None:
        """Add a sheet, after the others; unless it is known to hold, it is only a doubt."""
        text = _SKIPPED.sub(" ", sheet)
        if "@import" in text.lower():
            self.doubt()
        for prelude, body in _blocks(text):
            usual, urgent = declarations(body)
            if not (usual or urgent):
                continue
            selectors = prelude.split(",") if is_known else [""]
            known = [_compounds(selector) for selector in selectors]
            if self._count + len(known) > _MOST_RULES:
                self.doubt()
            elif all(known):
                for compounds in known:
                    self._count += 1
                    rule = _Rule(compounds, _specificity(compounds), self._count, usual, urgent)
                    self._rules.setdefault(_needed(compounds[-1]), []).append(rule)
            else:
                shown = {
                    name
                    for values in (usual, urgent)
                    for name, value in values.items()
                    if value not in ("none", "hidden")
                }
                is_generated = all(map(_GENERATED.search, selectors))
                self.doubts |= shown & ({ALIKE} if is_generated else PROPERTIES)

    def of(self, element: StyledElement, hints: Mapping[str, str], style: str) -> dict[str, str]:
        """Return the values that hold for an element, by property.

        Args:
            element: without its values.
            hints: values by old attributes, the weakest.
            style: the element's own.
        """
        keys = ["*", element.name, f"#{element.id}", *(f".{name}" for name in element.classes)]
        rules = [
            rule
            for key in keys
            if self._compared <= _MOST_COMPARED
            for rule in self._rules.get(key, ())
            if self._fits(rule, element)
        ]
        rules.sort(key=lambda rule: (rule.specificity, rule.order))
        own, own_urgent = declarations(style)
        found = dict(hints)
        for rule in rules:
            found |= self._sure(rule, element, rule.usual)
        if self._compared > _MOST_COMPARED:
            self.doubt()
            found |= dict.fromkeys(PROPERTIES, UNKNOWN)
        found |= dict.fromkeys(self.doubts & (found.keys() | INHERITED), UNKNOWN)
        found |= own
        for rule in rules:
            found |= self._sure(rule, element, rule.urgent)
        found |= own_urgent
        if self.has_script or "opacity" in self.doubts:
            found.pop("opacity", None)
        return found

    def _sure(
        self, rule: _Rule, element: StyledElement, values: Mapping[str, str]
    ) -> Mapping[str, str]:
        is_page = element.name in ("html", "body") or rule.compounds[-1].name == "*"
        if self.has_script and is_page:
            return dict.fromkeys(values, UNKNOWN)
        return {**values, **dict.fromkeys(values.keys() & self.doubts, UNKNOWN)}

    def _fits(self, rule: _Rule, element: StyledElement) -> bool:
        self._compared += 1
        *_, last = rule.compounds
        return last.fits(element) and self._is_below(rule.compounds, element)

    def _is_below(self, compounds: tuple[_Compound, ...], element: StyledElement) -> bool:
        """Return whether what is above an element fits the compounds before the last one."""
        *rest, last = compounds
        above = element.above
        while rest and above is not None and self._compared <= _MOST_COMPARED:
            self._compared += 1
            if rest[-1].fits(above) and self._is_below(tuple(rest), above):
                return True
            above = None if last.is_child else above.above
        return not rest


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield preludes and bodies of the rules; each letter is read once.

    The prelude is "" for a block that stands in another block or has a block in it.
    """
    position = depth = 0
    prelude = ""
    for brace in _BRACE.finditer(sheet):
        text = sheet[position : brace.start()]
        if brace[0] == "{":
            if depth:
                yield "", text
            statements = _STATEMENTS.match(text)
            start = text[statements.end() if statements else 0 :].strip()
            prelude = "" if depth or start.startswith("@") else start
            depth += 1
        elif not depth:
            continue  # it makes the next rule malformed
        else:
            depth -= 1
            yield prelude, text
            prelude = ""
        position = brace.end()
    yield "", sheet[position:]


def _compounds(selector: str) -> tuple[_Compound, ...]:
    """Return the compounds of a selector; none for one with anything else in it."""
    parts = _COMBINED.split(selector.strip())
    if len(parts) > _MOST_PARTS:
        return ()
    compounds = []
    for number in range(0, len(parts), 2):
        match = _COMPOUND.fullmatch(parts[number])
        marks = _PART.findall(match[2]) if match else []
        ids = [name for mark, name in marks if mark == "#"]
        classes = frozenset(name for mark, name in marks if mark == ".")
        if match is None or not match[0] or len(ids) > 1 or len(ids) + len(classes) < len(marks):
            return ()
        is_child = number > 0 and ">" in parts[number - 1]
        name = (match[1] or "").lower()
        compounds.append(_Compound(name, ids[0] if ids else "", classes, is_child))
    return tuple(compounds)


def _specificity(compounds: tuple[_Compound, ...]) -> Specificity:
    return (
        sum(bool(each.id) for each in compounds),
        sum(len(each.classes) for each in compounds),
        sum(each.name not in ("", "*") for each in compounds),
    )


def _needed(compound: _Compound) -> str:
    """Return the key under which elements look for a rule."""
    if compound.id:
        return f"#{compound.id}"
    if compound.classes:
        return f".{min(compound.classes)}"
    return compound.name or "*"
