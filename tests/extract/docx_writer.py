"""A DOCX file of a paper, by hand."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from uring_local.sites.files.hwpx import package
from uring_local.sites.files.paper import Cell, Paper, Table

TRANSITIONAL = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
BREAKS = {"\t": "</w:t><w:tab/><w:t>", "\n": "</w:t><w:br/><w:t>"}


def docx(paper: Paper, *, namespace: str = TRANSITIONAL) -> bytes:
    """The paper as a file of Word's."""
    blocks = [
        table(paragraph) if isinstance(paragraph, Table) else p(t(paragraph))
        for paragraph in (paper.title, *paper.paragraphs)
    ]
    return write(*blocks, namespace=namespace)


def write(
    *blocks: str, parts: Mapping[str, str] | None = None, namespace: str = TRANSITIONAL
) -> bytes:
    """A file with these blocks; parts are numbering, styles, footnotes and endnotes."""
    body = f"<w:body>{''.join(blocks)}<w:sectPr/></w:body>"
    files = {
        "[Content_Types].xml": f"{HEAD}<Types/>",
        "_rels/.rels": relations(officeDocument="word/document.xml"),
        "word/document.xml": root("document", body, namespace),
        "word/_rels/document.xml.rels": relations(**{kind: f"{kind}.xml" for kind in parts or {}}),
        **{f"word/{kind}.xml": root(kind, inner) for kind, inner in (parts or {}).items()},
    }
    return package(files, compressed=True)


def relations(**targets: str) -> str:
    each = "".join(
        f'<Relationship Id="r{kind}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
        for kind, target in targets.items()
    )
    return f"{HEAD}<Relationships>{each}</Relationships>"


def root(name: str, inner: str, namespace: str = TRANSITIONAL) -> str:
    spaces = "".join(f' xmlns:{each}="urn:{each}"' for each in ("m", "mc", "v", "wps", "c"))
    return f'{HEAD}<w:{name} xmlns:w="{namespace}"{spaces}>{inner}</w:{name}>'


def p(inner: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def t(text: str, properties: str = "") -> str:
    words = escape(text)
    for char, elements in BREAKS.items():
        words = words.replace(char, elements)
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'


def listed(name: int, level: int = 0) -> str:
    """The property of a paragraph in a list."""
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{name}"/></w:numPr>'


def definition(name: int, *levels: tuple[str, str], more: str = "") -> str:
    """A definition of levels: format and text; ``more`` stands in each level."""
    inner = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{shape}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for at, (shape, text) in enumerate(levels)
    )
    return f'<w:abstractNum w:abstractNumId="{name}">{inner}</w:abstractNum>'


def num(name: int, of: int, overrides: str = "") -> str:
    return f'<w:num w:numId="{name}"><w:abstractNumId w:val="{of}"/>{overrides}</w:num>'


def style(name: str, inner: str, based_on: str = "", *, is_default: bool = False) -> str:
    default = ' w:default="1"' if is_default else ""
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return f'<w:style w:type="paragraph" w:styleId="{name}"{default}>{base}{inner}</w:style>'


def table(value: Table) -> str:
    """A table; a cell over several rows is there in each of them, as Word writes it."""
    rows: list[dict[int, str]] = [{} for _ in value.rows]
    for row, column, cell in value.placed():
        for down in range(cell.rows):
            rows[row + down][column] = tc(cell, is_first=not down)
    inner = "".join(
        f"<w:tr>{''.join(cells[column] for column in sorted(cells))}</w:tr>" for cells in rows
    )
    return tbl(inner)


def tbl(rows: str) -> str:
    return f"<w:tbl><w:tblPr/>{rows}</w:tbl>"


def tc(cell: Cell, *, is_first: bool = True) -> str:
    start = ' w:val="restart"' if is_first else ""
    merge = f"<w:vMerge{start}/>" if cell.rows > 1 else ""
    properties = f'<w:tcPr><w:gridSpan w:val="{cell.columns}"/>{merge}</w:tcPr>'
    lines = cell.text.split("\n") if is_first else [""]
    return f"<w:tc>{properties}{''.join(p(t(line)) for line in lines)}</w:tc>"


def note(kind: str, *texts: str) -> str:
    """The notes of a kind, with the separators that Word writes before them."""
    separators = f'<w:{kind} w:type="separator" w:id="-1">{p("<w:separator/>")}</w:{kind}>'
    return separators + "".join(
        f'<w:{kind} w:id="{at}">{p(f"<w:r><w:{kind}Ref/></w:r>" + t(f" {text}"))}</w:{kind}>'
        for at, text in enumerate(texts, 1)
    )


def field(code: Sequence[str], *result: str) -> str:
    """A field: what its code is made of, and its result."""
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate")]
    return f"{marks[0]}{''.join(code)}{marks[1]}{''.join(result)}{END}"


END = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'


def code(text: str) -> str:
    return f"<w:r><w:instrText>{text}</w:instrText></w:r>"


def box(*blocks: str) -> str:
    """A text box as Word draws it, and again for versions before 2010."""
    content = f"<w:txbxContent>{''.join(blocks)}</w:txbxContent>"
    return (
        f"<w:r><mc:AlternateContent><mc:Choice><wps:txbx>{content}</wps:txbx></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{content}</v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )
