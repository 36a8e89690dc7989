"""One module of the client: what it imports and exports, and its body without either.

The client's modules are written in a part of JavaScript that needs no parser:

    import { a, b as c } from "./x.js";      named, at the beginning of a line
    export { a, b as c } from "./x.js";      also without `from`
    export const a = …                       function, async function, class
    import("./x.js")                         with a plain string
    a line that begins with // or /*         a comment, wherever it stands

Anything else of `import` and `export` is refused, so a file of another kind is never guessed at.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from posixpath import dirname, join, normpath
from typing import Final

from uring.errors import UringError

REMEDY: Final = "write it as the other modules of the client, or upload with --modules"

_COMMENT: Final = re.compile(
    r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n|^[ \t]*//[^\n]*\n", re.MULTILINE | re.DOTALL
)
_NAMED: Final = re.compile(
    r"^(?P<kind>import|export)\s*\{(?P<names>[^{}]*)\}\s*"
    r"(?:from\s*\"(?P<address>[^\"]+)\"\s*)?;[ \t]*\n?",
    re.MULTILINE,
)
# Vendored modules are one long line, with all their exports at the end.
_LAST: Final = re.compile(r"(?<=[;}])export\{(?P<names>[^{}]*)\};?\s*\Z")
_DECLARED: Final = re.compile(
    r"^export (?=(?:const|(?:async )?function(?: ?\*)?|class) (?P<name>[\w$]+)[ (={])", re.MULTILINE
)
# Importers of a joined module have its values of when it ran.
_CHANGING: Final = re.compile(r"^(?:let|var) (?P<name>[\w$]+)", re.MULTILINE)
_LATER: Final = re.compile(r"\bimport\(\s*\"(?P<address>[^\"]+)\"\s*\)")
_UNKNOWN: Final = re.compile(
    r"^(?:import|export)\b.*|\bimport\.meta\b.*|\bimport\((?!\s*\").*", re.MULTILINE
)


class ModuleInvalid(UringError):
    """A module cannot be joined with others; the message names it and the remedy."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module, taken apart.

    Attributes:
        path: from the client's root.
        imports: by path, the names there and here; in their order.
        exports: the name for others, and the one in the body.
        body: without comments, static imports and exports.
        later: paths of ``import()``, in their order.
    """

    path: str
    imports: Sequence[tuple[str, Mapping[str, str]]]
    exports: Mapping[str, str]
    body: str
    later: Sequence[str]


def read_module(path: str, source: bytes, *, is_whole: bool = False) -> Module:
    """Return a module taken apart.

    Args:
        path: from the client's root.
        source: UTF-8.
        is_whole: keep its comments, which may be a licence.

    Raises:
        ModuleInvalid: not UTF-8, or it imports or exports in another way.
    """
    try:
        text = source.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ModuleInvalid(f"{path}: is not UTF-8; save it as UTF-8") from None
    text = text if is_whole else _COMMENT.sub("", text)
    imports: list[tuple[str, Mapping[str, str]]] = []
    exports: dict[str, str] = {}

    def take(found: re.Match[str]) -> str:
        names = _names(found["names"])
        if found["address"] is None and found["kind"] == "import":
            return found[0]
        if found["address"] is None:
            exports.update({there: here for here, there in names.items()})
        elif found["kind"] == "import":
            imports.append((_path(path, found["address"]), names))
        else:
            # A name of its own: the body may have the same one.
            passed = {name: f"passed${len(imports)}${name}" for name in names}
            imports.append((_path(path, found["address"]), passed))
            exports.update({there: passed[here] for here, there in names.items()})
        return ""

    def last(found: re.Match[str]) -> str:
        exports.update({there: here for here, there in _names(found["names"]).items()})
        return "\n"

    def declared(found: re.Match[str]) -> str:
        exports[found["name"]] = found["name"]
        return ""

    body = _DECLARED.sub(declared, _LAST.sub(last, _NAMED.sub(take, text)))
    if unknown := _UNKNOWN.search(body):
        raise ModuleInvalid(f"{path}: cannot join `{unknown[0].strip()[:60]}`; {REMEDY}")
    changing = {found["name"] for found in _CHANGING.finditer(body)} & {*exports.values()}
    if changing and not is_whole:
        raise ModuleInvalid(f"{path}: exports {min(changing)}, which may change; {REMEDY}")
    later = [_path(path, each["address"]) for each in _LATER.finditer(body)]
    return Module(path, imports, exports, body.strip("\n"), later)


def with_later(module: Module, expression: Mapping[str, str]) -> str:
    """Return a body with each ``import()`` replaced by the expression of its path."""
    return _LATER.sub(lambda found: expression[_path(module.path, found["address"])], module.body)


def _names(listed: str) -> dict[str, str]:
    """Return the pairs of ``a, b as c``: the first name of each → its second one."""
    pairs = [each.split() for each in listed.split(",") if each.strip()]
    return {pair[0]: pair[-1] for pair in pairs}


def _path(path: str, address: str) -> str:
    if not address.startswith(("./", "../")):
        raise ModuleInvalid(f"{path}: imports {address}, which is not a relative address; {REMEDY}")
    return normpath(join(dirname(path), address))
