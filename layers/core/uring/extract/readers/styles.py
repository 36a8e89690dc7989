"""Style sheets of a page, to find hidden text: rules by element, class and id.

Selectors of elements, classes and ids are known, alone or below others; ``>`` counts as below.
Rules with other selectors, and those for print or under a condition, are ignored. Of two rules the
more specific one holds, then the later one; an element's own style and ``!important`` come first.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from uring.extract.readers.reading import Unreadable

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_BRACE: Final = re.compile(r"[{}]")
_COMPOUND: Final = re.compile(r"([a-z][a-z0-9-]*|\*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_PART: Final = re.compile(r"([.#])([\w-]+)")
_COMBINED: Final = re.compile(r"\s*>\s*|\s+")
_SCREEN: Final = re.compile(
    r"@media\s+(?:only\s+)?(?:screen|all)\s*(?:,|\Z)|@layer\b", re.IGNORECASE
)
_MOST_RULES: Final = 20_000
_MOST_COMPOUNDS: Final = 8
# A limit of time. To ignore the rules beyond it would show what they hide.
_MOST_COMPARED: Final = 3_000_000

Specificity = tuple[int, int, int]


class StyledElement(NamedTuple):
    """What selectors see of an element."""

    name: str
    id: str
    classes: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Compound:
    name: str
    id: str
    classes: frozenset[str]

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
    values: Mapping[str, str]
    urgent: Mapping[str, str]

    def fits(self, element: StyledElement, above: Sequence[StyledElement]) -> bool:
        """Return whether it selects an element below others, the nearest first."""
        if not self.compounds[-1].fits(element):
            return False
        waiting = [*self.compounds[:-1]]
        for other in above:
            if waiting and waiting[-1].fits(other):
                waiting.pop()
        return not waiting


@dataclass(slots=True)
class StyleSheets:
    """The rules of a page, found by what they need of an element."""

    rules: dict[str, list[_Rule]] = field(default_factory=dict)
    count: int = 0
    has_combined: bool = False
    compared: int = 0

    def add(self, sheet: str) -> None:
        """Add a sheet, after the others; beyond 20,000 rules nothing is added."""
        for prelude, body in _rules(_COMMENT.sub(" ", sheet)):
            values, urgent = declarations(body)
            for selector in prelude.split(",") if values or urgent else ():
                compounds = _compounds(selector)
                if not compounds or self.count == _MOST_RULES:
                    continue
                self.count += 1
                self.has_combined |= len(compounds) > 1
                rule = _Rule(compounds, _specificity(compounds), self.count, values, urgent)
                self.rules.setdefault(_needed(compounds[-1]), []).append(rule)

    def of(
        self, element: StyledElement, above: Iterable[StyledElement], style: str
    ) -> dict[str, str]:
        """Return the values that hold for an element, by property.

        Raises:
            Unreadable: ``too_big`` for a page with too many rules for too many elements.
        """
        nearest = [*above] if self.has_combined else []
        keys = ["*", element.name, f"#{element.id}", *(f".{name}" for name in element.classes)]
        rules = []
        for rule in (rule for key in keys for rule in self.rules.get(key, ())):
            self.compared += len(nearest) if len(rule.compounds) > 1 else 1
            if rule.fits(element, nearest):
                rules.append(rule)
        if self.compared > _MOST_COMPARED:
            raise Unreadable("too_big", "a page with too many rules of style; save it as a PDF")
        rules.sort(key=lambda rule: (rule.specificity, rule.order))
        own, own_urgent = declarations(style)
        found: dict[str, str] = {}
        for values in (*(rule.values for rule in rules), own):
            found |= values
        for values in (*(rule.urgent for rule in rules), own_urgent):
            found |= values
        return found


def declarations(body: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the values by property, in lower case: the usual ones, and the ``!important`` ones."""
    values: dict[str, str] = {}
    urgent: dict[str, str] = {}
    for part in body.split(";"):
        name, colon, value = part.partition(":")
        if colon:
            plain, mark, _ = value.strip().lower().partition("!")
            (urgent if mark else values)[name.strip().lower()] = plain.strip()
    return values, urgent


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield preludes and bodies of the rules that hold on a screen; each letter is read once."""
    position = 0
    prelude = ""
    blocks: list[bool] = []  # around the position: whether the rules in them hold
    for brace in _BRACE.finditer(sheet):
        text = sheet[position : brace.start()]
        position = brace.end()
        if brace[0] == "{":
            prelude = text.rpartition(";")[2].strip()
            is_group = prelude.startswith("@")
            blocks.append(is_group and all(blocks) and _SCREEN.match(prelude) is not None)
            if is_group:
                prelude = ""
        elif blocks:
            blocks.pop()
            if prelude and all(blocks):
                yield prelude, text
            prelude = ""


def _compounds(selector: str) -> tuple[_Compound, ...]:
    """Return the compounds of a selector; none for one with anything else in it."""
    parts = _COMBINED.split(selector.strip())
    if len(parts) > _MOST_COMPOUNDS:
        return ()
    compounds = []
    for part in parts:
        match = _COMPOUND.fullmatch(part)
        if match is None or not part:
            return ()
        marks = _PART.findall(match[2])
        ids = [name for mark, name in marks if mark == "#"]
        classes = frozenset(name for mark, name in marks if mark == ".")
        compounds.append(_Compound((match[1] or "").lower(), ids[-1] if ids else "", classes))
    return tuple(compounds)


def _specificity(compounds: Iterable[_Compound]) -> Specificity:
    ids = classes = names = 0
    for compound in compounds:
        ids += bool(compound.id)
        classes += len(compound.classes)
        names += compound.name not in ("", "*")
    return ids, classes, names


def _needed(compound: _Compound) -> str:
    """Return the key under which elements look for a rule."""
    if compound.id:
        return f"#{compound.id}"
    if compound.classes:
        return f".{min(compound.classes)}"
    return compound.name or "*"
