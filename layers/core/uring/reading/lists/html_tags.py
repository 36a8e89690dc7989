"""Tags as a parser reads them, and names of elements that a parser copies."""

from typing import Final

# Expressions of a tag's parts. They are possessive (*+, ++, ?+): what one has taken it never gives
# back, so that no search takes longer than the page is long.
_QUOTED: Final = rb"\"[^\"]*+\"|'[^']*+'"
# As the tokenizer of the standard reads them, with quotes and brackets where nobody writes them:
#   <p/a=1 b"c='>' <d>    has a=1, b"c='>' and <d
ANY_ATTRIBUTE: Final = (
    rb"(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:" + _QUOTED + rb"|[^\s>\"'][^\s>]*+))?+)"
)
# As they are written when nothing is wrong:
#   <i a=1 b='>' c>    has a=1, b='>' and c
PLAIN_ATTRIBUTE: Final = (
    rb"(?:[\s/]++[^\s/>=\"'<]++(?:\s*+=\s*+(?:" + _QUOTED + rb"|[^\s>\"'=<`]++))?+)"
)
FORMATTING_NAMES: Final = b"b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
