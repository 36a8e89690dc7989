"""The client's modules joined: a few files in place of a hundred, each a request of its own.

    app/main.js        the page's script: what its first view needs, by its modulepreload links
    app/rest.js        what the page imports later; it takes the others' modules from app/main.js
    status/status.js   the operator's page
    sw.js              the service worker
    vendor/…           a library that is imported later alone stays a file: nobody pays before

A module becomes a function that runs once, at its first import: it keeps its own scope, and a
broken one fails where it was imported, as a module does. There is one copy of each module in a
page, so its state is one. Names stay as they are written, for reports of errors.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import dirname, join, normpath, relpath
from typing import Final

from uring_local.web.modules import REMEDY, Module, ModuleInvalid, read_module, with_later

# Everybody loads these before the first list, or right after it.
_WITH_FIRST: Final = (
    *("app/notices/attend.js", "app/notices/welcome.js", "app/push.js", "app/push/ask.js"),
)
_LIBRARIES: Final = "vendor/"
_PAGE: Final = "index.html"
_WORKER: Final = "sw.js"
_SCRIPT: Final = re.compile(r'<script type="module" src="(?P<address>[^"]+)">')
_PRELOAD: Final = re.compile(r'[ \t]*<link rel="modulepreload" href="(?P<address>[^"]+)" ?/?>\n?')
_NAMED: Final = re.compile(r'"\./(?P<path>[^"]+)",?\s*')
_ONCE: Final = "const once = (make) => {\n  let made;\n  return () => (made ??= make());\n};\n"


@dataclass(frozen=True, slots=True)
class _File:
    """A joined file: its path, its modules, each after its imports, and the module that it runs."""

    path: str
    modules: Sequence[Module]
    run: str | None


def join_modules(sources: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a client's sources with joined files in place of their modules.

    The same sources give the same bytes.

    Args:
        sources: by path from the client's root.

    Raises:
        ModuleInvalid: a module is missing, imports itself around a circle, or is of another kind.
    """
    client = _Client(sources)
    joined = dict(sources)
    listed: dict[str, str] = {}
    for name in sorted(name for name in sources if name.endswith(".html")):
        # A page in another encoding is refused by the release.
        text = sources[name].decode(errors="surrogateescape")
        places = _replace(joined, client.of_page(name, text))
        joined[name] = _without_preloads(name, text, places).encode(errors="surrogateescape")
        listed |= places if name == _PAGE else {}
    if _WORKER in sources:
        own = _replace(joined, [_File(_WORKER, client.closure([_WORKER], ()), _WORKER)])
        joined[_WORKER] = _relisted(joined[_WORKER].decode(), own | listed).encode()
    return joined


class _Client:
    """The modules of a client, each read once."""

    def __init__(self, sources: Mapping[str, bytes]) -> None:
        self._sources = sources
        self._read: dict[str, Module] = {}

    def module(self, path: str, by: str) -> Module:
        if path not in self._read:
            if path not in self._sources:
                raise ModuleInvalid(f"{by}: imports {path}, which does not exist; correct the path")
            is_library = path.startswith(_LIBRARIES)
            self._read[path] = read_module(path, self._sources[path], is_whole=is_library)
        return self._read[path]

    def closure(self, roots: Iterable[str], known: Iterable[str], by: str = "") -> list[Module]:
        """Return modules with all that they import, each after its imports; without known ones."""
        done = dict.fromkeys(known, True)
        found: list[Module] = []

        def visit(path: str, by: str) -> None:
            if done.get(path):
                return
            if path in done:
                raise ModuleInvalid(f"{path}: imports itself by way of {by}; {REMEDY}")
            done[path] = False
            module = self.module(path, by)
            for imported, names in module.imports:
                visit(imported, path)
                if missing := names.keys() - self.module(imported, path).exports.keys():
                    raise ModuleInvalid(
                        f"{path}: imports {min(missing)} from {imported}, which has no such "
                        "export; correct the name"
                    )
            done[path] = True
            found.append(module)

        for root in roots:
            visit(root, by or root)
        return found

    def of_page(self, name: str, text: str) -> list[_File]:
        """Return the files of a page: its script, and what that imports later."""
        scripts = [_at(name, found["address"]) for found in _SCRIPT.finditer(text)]
        if not scripts:
            return []
        script = scripts[0]
        preloads = [_at(name, found["address"]) for found in _PRELOAD.finditer(text)]
        others = [each for each in _WITH_FIRST if preloads and each in self._sources]
        first = self.closure([*preloads, *others, script], (), name)
        rest: list[Module] = []
        reached = [*first]
        for module in reached:
            known = {each.path for each in [*first, *rest]}
            later = [each for each in module.later if not each.startswith(_LIBRARIES)]
            new = self.closure(later, known, module.path)
            rest += new
            reached += new
        files = [_File(script, first, script)]
        return [*files, _File(join(dirname(script), "rest.js"), rest, None)] if rest else files


def _replace(joined: dict[str, bytes], files: Sequence[_File]) -> dict[str, str]:
    """Put the text of files in place of their modules; return the file of each module."""
    here = {module.path: file.path for file in files for module in file.modules}
    names = {path: f"module${number}" for number, path in enumerate(here)}
    for file in files:
        for module in file.modules:
            joined.pop(module.path, None)
    for file in files:
        joined[file.path] = _text(file, here, names).encode()
    return here


def _text(file: _File, here: Mapping[str, str], names: Mapping[str, str]) -> str:
    own = [module.path for module in file.modules]
    foreign = {
        path for module in file.modules for path, _ in module.imports if here[path] != file.path
    }
    parts = [
        f"import {{ {_listed(names[path] for path in here if path in foreign)} }} "
        f'from "{_relative(file.path, place)}";\n'
        for place in sorted({here[path] for path in foreign})
    ]
    parts += [_ONCE, *(_function(module, file, here, names) for module in file.modules)]
    if file.path != _WORKER:
        parts.append(f"export {{ {_listed(names[path] for path in own)} }};\n")
    if file.run:
        parts.append(f"{names[file.run]}();\n")
    return "".join(parts)


def _function(
    module: Module, file: _File, here: Mapping[str, str], names: Mapping[str, str]
) -> str:
    later = {path: _later(path, file, here, names) for path in module.later}
    imports = "".join(
        f"const {{ {_pairs(pairs)} }} = {names[path]}();\n" for path, pairs in module.imports
    )
    return (
        f"// {module.path}\nconst {names[module.path]} = once(() => {{\n{imports}"
        f"{with_later(module, later)}\nreturn {{ {_pairs(module.exports)} }};\n}});\n"
    )


def _later(path: str, file: _File, here: Mapping[str, str], names: Mapping[str, str]) -> str:
    """Return the expression for ``import()``: a promise of the exports, in each case."""
    if path not in here:
        return f'import("{_relative(file.path, path)}")'
    if here[path] == file.path:
        return f"Promise.resolve().then({names[path]})"
    return f'import("{_relative(file.path, here[path])}").then((all) => all.{names[path]}())'


def _pairs(names: Mapping[str, str]) -> str:
    return _listed(one if one == other else f"{one}: {other}" for one, other in names.items())


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _without_preloads(name: str, text: str, places: Mapping[str, str]) -> str:
    return _PRELOAD.sub(
        lambda found: "" if _at(name, found["address"]) in places else found[0], text
    )


def _relisted(text: str, places: Mapping[str, str]) -> str:
    """Return a worker whose lists name each joined file once, in place of its modules.

    What is in the worker itself is in no list: the browser keeps that.
    """
    named = {_WORKER}

    def name(found: re.Match[str]) -> str:
        path = found["path"]
        place = places.get(path)
        if place is None:
            return found[0]
        if place in named:
            return ""
        named.add(place)
        return found[0].replace(path, place)

    return _NAMED.sub(name, text)


def _at(name: str, address: str) -> str:
    return normpath(join(dirname(name), address))


def _relative(path: str, target: str) -> str:
    address = relpath(target, dirname(path) or ".")
    return address if address.startswith("../") else f"./{address}"
