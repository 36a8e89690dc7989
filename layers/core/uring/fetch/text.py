"""Hostile text in messages: one short line without control characters or secrets."""

from typing import Final

_LONGEST: Final = 120


def one_line(text: object) -> str:
    """Return the first 120 characters, every unprintable one as its escape."""
    shown = str(text)
    if len(shown) > _LONGEST:
        shown = shown[: _LONGEST - 1] + "…"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in shown)


def shown_url(url: str) -> str:
    """Return a URL without user name, password, query and fragment: they may be secrets.

    With an ``@`` any part may be a password, so only the scheme is shown.
    """
    scheme, separator, rest = url.partition("://")
    if "@" in url:
        return one_line(f"{scheme}://…") if separator and "@" not in scheme else "…"
    cut = min((at for at in (rest.find("?"), rest.find("#")) if at >= 0), default=len(rest))
    return one_line(f"{scheme}{separator}{rest[:cut]}{'…' if cut < len(rest) else ''}")
