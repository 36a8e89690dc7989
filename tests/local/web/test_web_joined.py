"""Modules joined into few files: one copy of each, nothing guessed, nothing loaded too early."""

import re
from collections.abc import Mapping

import pytest

from uring_local.project import WEB
from uring_local.web.joined import join_modules
from uring_local.web.modules import ModuleInvalid, read_module
from uring_local.web.release import read_release

PAGE = (
    '<link rel="modulepreload" href="./app/words.js" />\n'
    '<script type="module" src="./app/main.js"></script>\n'
)
SOURCES = {
    "index.html": PAGE,
    "app/main.js": 'import { say } from "./words.js";\nconst late = () => import("./late.js");\n',
    "app/words.js": "/** A count. */\nlet count = 0;\nexport const say = () => ++count;\n",
    "app/late.js": (
        'import { say as told } from "./words.js";\n'
        'export const load = () => import("../vendor/big.js");\n'
        "export const again = told;\n"
    ),
    "vendor/big.js": "export const big = 1;\n",
}


def joined(**changes: str) -> dict[str, str]:
    """The texts of the joined files; `app__main` is `app/main.js`."""
    named = {name.replace("__", "/") + ".js": text for name, text in changes.items()}
    return texts({**SOURCES, **named})


def texts(sources: Mapping[str, str]) -> dict[str, str]:
    encoded = {name: text.encode() for name, text in sources.items()}
    return {name: body.decode() for name, body in join_modules(encoded).items()}


def test_a_page_has_its_script_and_the_rest_and_libraries_stay_files() -> None:
    files = joined()
    assert files.keys() == {"index.html", "app/main.js", "app/rest.js", "vendor/big.js"}
    assert files["vendor/big.js"] == SOURCES["vendor/big.js"]
    assert files["index.html"] == '<script type="module" src="./app/main.js"></script>\n'


def test_each_module_is_in_one_file_and_is_made_once() -> None:
    """Two copies would be two counts: the rest takes what the script has from the script."""
    files = joined()
    assert [text.count("let count = 0") for text in files.values()].count(1) == 1
    assert 'import { module$0 } from "./main.js";' in files["app/rest.js"]
    assert 'import("./rest.js").then((all) => all.module$2())' in files["app/main.js"]
    assert 'import("../vendor/big.js")' in files["app/rest.js"]


def test_comments_are_left_out_and_those_of_a_library_are_not() -> None:
    files = joined(vendor__lib="/** @license */\nexport{t as html};\n", app__main=USES_LIBRARY)
    assert "A count" not in "".join(files.values())
    assert "@license" in files["app/main.js"]


USES_LIBRARY = 'import { html } from "../vendor/lib.js";\n'


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("export default 1;\n", "app/main.js: cannot join `export default 1;`"),
        ('import * as all from "./words.js";\n', "app/main.js: cannot join `import * as"),
        ("export let a = 1;\n", "app/main.js: cannot join `export let"),
        ("let n = 0;\nexport { n };\n", "app/main.js: exports n, which may change"),
        ("const here = import.meta.url;\n", "app/main.js: cannot join `import.meta.url;`"),
        ("const load = (x) => import(x);\n", "app/main.js: cannot join `import(x)"),
        ('import { a } from "lit";\n', "app/main.js: imports lit, which is not a relative"),
        ('import { a } from "./none.js";\n', "imports app/none.js, which does not exist"),
        ('import { nay } from "./words.js";\n', "imports nay from app/words.js"),
        ('import { again } from "./circle.js";\n', "app/main.js: imports itself by way of app/c"),
    ],
)
def test_what_cannot_be_joined_is_refused_by_name(source: str, problem: str) -> None:
    circle = 'import { a } from "./main.js";\nexport const again = a;\n'
    with pytest.raises(ModuleInvalid, match=re.escape(problem)):
        joined(app__main=source, app__circle=circle)


def test_a_module_in_another_encoding_is_refused() -> None:
    with pytest.raises(ModuleInvalid, match="save it as UTF-8"):
        read_module("app/words.js", "'공지'".encode("euc-kr"))


def test_a_worker_has_its_modules_in_it_and_lists_each_file_once() -> None:
    worker = (
        'import { say } from "./app/words.js";\n'
        'const ASSETS = [\n  "./app/main.js",\n  "./app/late.js",\n  "./app/words.js",\n'
        '  "./style.css",\n];\n'
    )
    files = texts({**SOURCES, "sw.js": worker, "style.css": ""})
    assert "let count = 0" in files["sw.js"]
    listed = re.findall(r'"\./([^"]+)"', files["sw.js"].partition("ASSETS")[2])
    assert listed == ["app/main.js", "app/rest.js", "style.css"]
    assert not re.search(r"^import ", files["sw.js"], re.MULTILINE)


def test_the_client_has_five_scripts_and_the_same_bytes_each_time() -> None:
    """Page, its rest, the operator's page and two of Firebase: a new file is decided on here."""
    release = read_release(WEB, are_joined=True)
    scripts = {
        file.key.removeprefix(f"web/r/{release.id}/")
        for file in release.files
        if file.key.endswith(".js")
    }
    assert scripts == {
        *("web/sw.js", "app/main.js", "app/rest.js", "status/status.js"),
        *("vendor/firebase-app.js", "vendor/firebase-messaging.js"),
    }
    assert read_release(WEB, are_joined=True) == release
    assert read_release(WEB).id != release.id
