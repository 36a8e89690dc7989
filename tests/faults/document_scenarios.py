"""A page's documents: short stories, each for one way in which it goes."""

from typing import Final

from document_steps import DocumentScenario, Edit, Remove, Round, Submit, Upload, Wait, Work

_LONG: Final = "\n\n".join(f"{number} word" + " word" * 1_200 for number in (1, 2))
_FIRST: Final = Upload("a", "ISSUE(fees), ISSUE(leave)")
_CHANGED: Final = Upload("a", "ISSUE(fees), as of now ISSUE(visa)")
_OTHER: Final = Upload("b", "ISSUE(rent) ISSUE(dogs)")
_ANALYSED: Final = (_FIRST, _OTHER, Submit("issues"), Work())
_TRANSLATE: Final = Submit("policy", "a", "en")
_AGAIN: Final = Submit("policy", again=True)
_EMPTY_PAGE: Final = (*_ANALYSED, _TRANSLATE, Work(), Remove("a"), Remove("b"), Work())

DOCUMENT_SCENARIOS: Final = (
    DocumentScenario("documents: first extraction", (Upload("a", "one"), Submit("policies"))),
    DocumentScenario("documents: first analysis", (_FIRST, Submit("issues"))),
    DocumentScenario("documents: a changed attachment", (_CHANGED,), before=_ANALYSED),
    DocumentScenario(
        "documents: changed while it is analysed again",
        (_CHANGED,),
        before=_ANALYSED,
        beside=(Upload("a", "ISSUE(leave) and no more"),),
    ),
    DocumentScenario(
        "documents: a translation in pieces",
        (_TRANSLATE,),
        before=(Upload("a", _LONG), Work()),
        beside=(_TRANSLATE,),
    ),
    DocumentScenario(
        "documents: a dead leader's lock is waited for",
        (_TRANSLATE,),
        before=(Upload("a", _LONG), Work()),
        visibility_seconds=60,
    ),
    DocumentScenario(
        "documents: a translation of what changes",
        (Upload("a", "two"), _TRANSLATE),
        before=(Upload("a", "one"), _TRANSLATE, Work()),
        beside=(Upload("a", "three"),),
    ),
    DocumentScenario(
        "documents: edits around an analysis",
        (Edit("fees", "severity", "low"), _CHANGED, Work(), Edit("fees", "state", "resolved")),
        before=_ANALYSED,
        beside=(Edit("fees", "notes", "beside"), Edit("leave", "notes", "beside")),
    ),
    DocumentScenario(
        "documents: an edit against an analysis",
        (_CHANGED, Edit("leave", "state", "archived"), Edit("fees", "notes", "mine")),
        before=_ANALYSED,
    ),
    DocumentScenario(
        "documents: an edit against clear",
        (Submit("clear"), Edit("leave", "severity", "high")),
        before=_ANALYSED,
        beside=(Edit("fees", "notes", "beside"),),
    ),
    DocumentScenario("documents: clear", (Submit("clear"),), before=(*_ANALYSED, _TRANSLATE)),
    DocumentScenario(
        "documents: an attachment removed",
        (Remove("a"),),
        before=(*_ANALYSED, _TRANSLATE, Work()),
        beside=(Edit("fees", "notes", "beside"),),
    ),
    DocumentScenario("documents: a page deleted", (Round(), Round(), Round()), before=_EMPTY_PAGE),
    DocumentScenario(
        "documents: a page that comes back",
        (Round(),),
        before=(*_EMPTY_PAGE, Round()),
        beside=(Upload("a", "ISSUE(back)"),),
    ),
    DocumentScenario(
        "documents: the janitor beside a worker",
        (Upload("a", "ISSUE(fees)"), Round(), Upload("b", "ISSUE(late)")),
        before=(*_ANALYSED, _CHANGED, Work()),
        beside=(Upload("c", "ISSUE(new)"),),
    ),
    DocumentScenario(
        "documents: a worker beside the janitor",
        (_CHANGED, _TRANSLATE),
        before=(*_ANALYSED, _TRANSLATE, Work(), Upload("b", "ISSUE(rent)"), Work(), Wait(30)),
        beside=(Round(hours=0),),
    ),
    DocumentScenario(
        "documents: the janitor while a lease is alive",
        (_CHANGED, _TRANSLATE),
        before=(*_ANALYSED, Upload("b", "ISSUE(rent)"), Work(), Wait(30)),
        beside=(Round(hours=0),),
        stalled_seconds=5,
    ),
    DocumentScenario(
        "documents: a text that comes back under the janitor's hands",
        (Round(hours=0),),
        before=(*_ANALYSED, _CHANGED, Work(), Wait(30)),
        beside=(_FIRST,),
    ),
    DocumentScenario(
        "documents: an attachment that comes back",
        (Remove("a"),),
        before=(Upload("a", "one"), Work()),
        beside=(Upload("a", "one"),),
    ),
    DocumentScenario(
        "documents: a job submitted twice",
        (Upload("a", "one"), _TRANSLATE, _AGAIN, Work(), _AGAIN),
    ),
    DocumentScenario(
        "documents: handed over",
        (_TRANSLATE, Work(), Round(), Round()),
        before=(Upload("a", _LONG), Upload("x", "y", page="page-2"), Work()),
        hurried=True,
    ),
)
