"""The languages that Amazon Translate knows, by its codes (its documentation, 2026)."""

from typing import Annotated, Final

from pydantic import AfterValidator

_CODES: Final = (
    "af sq am ar hy az bn bs bg ca zh zh-TW hr cs da fa-AF nl en et fa tl fi fr fr-CA ka de el gu "
    "ht ha he hi hu is id ga it ja kn kk ko lv lt mk ms ml mt mr mn no ps pl pt pt-PT pa ro ru sr "
    "si sk sl so es es-MX sw sv ta te th tr uk ur uz vi cy"
)
LANGUAGES: Final = frozenset(_CODES.split())


def _is_known(code: str) -> str:
    if code not in LANGUAGES:
        raise ValueError("not a target language of translations; write a code like en, ko, pt-PT")
    return code


Language = Annotated[str, AfterValidator(_is_known)]
