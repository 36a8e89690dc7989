"""What a registry shows in turn: short stories, each for one way in which it changes."""

from datetime import timedelta
from typing import Final

from fakes.registry import Rule
from regulation_world import RegulationScenario

CHARTER, STAFF, LABS = Rule("학칙", "868"), Rule("직제 규정", "869"), Rule("연구소 규정", "870")
ALL: Final = (CHARTER, STAFF, LABS, Rule("가 규정", "871"), Rule("나 규정", "872"))
FIRST: Final = "제1조(목적) 이 학칙은 교육을 정한다.\n\n제2조(학과) 학과는 셋이다."
SECOND: Final = FIRST.replace("셋", "넷")
FILES: Final = {"868": FIRST, "900": SECOND, "901": SECOND.replace("넷", "다섯")}

REVISION: Final = {
    "select": "a[href*='downloadContentsFile.do']",
    "attribute": "href",
    "parameter": "rev",
}

REGULATION_SCENARIOS: Final = (
    RegulationScenario("regulations: first sync", (ALL[:2],)),
    RegulationScenario(
        "regulations: one new, one revised",
        ((Rule("학칙", "900"), STAFF, LABS),),
        told=(("edited", "학칙"), ("new", "연구소 규정"), ("text_changed", "학칙")),
        before=ALL[:2],
        files=FILES,
    ),
    RegulationScenario(
        "regulations: revised twice",
        ((Rule("학칙", "900"),), (Rule("학칙", "901"),)),
        told=(("edited", "학칙"), ("text_changed", "학칙")) * 2,
        before=(CHARTER,),
        files=FILES,
    ),
    RegulationScenario(
        "regulations: renamed, and its file revised",
        ((CHARTER, Rule("직제규정", "869")), (Rule("학칙", "900"), Rule("직제규정", "901"))),
        told=(
            ("renamed", "직제규정"),
            ("edited", "학칙"),
            ("edited", "직제규정"),
            ("text_changed", "학칙"),
            ("text_changed", "직제규정"),
        ),
        before=ALL[:2],
        files=FILES,
    ),
    RegulationScenario(
        "regulations: deleted, and back",
        (ALL[:4], ALL),
        told=(("deleted", "나 규정"), ("returned", "나 규정")),
        before=ALL,
        days=2,
    ),
    RegulationScenario(
        "regulations: half a list",
        (ALL[:2], (*ALL, Rule("다 규정", "880"))),
        told=(("new", "다 규정"),),
        before=ALL,
    ),
    RegulationScenario(
        "regulations: a row that cannot be read",
        ((CHARTER, LABS),),
        told=(("new", "연구소 규정"),),
        before=(CHARTER,),
        bad=(Rule("새 규정", "8A"),),
    ),
    RegulationScenario(
        "regulations: a file that is never read",
        ((CHARTER, STAFF),),
        told=(("new", "직제 규정"),),
        before=(CHARTER,),
        files={"869": "!wrong_format"},
        dead={"직제 규정": "wrong_format"},
    ),
    RegulationScenario(
        "regulations: a file that no try can mend",
        ((CHARTER, STAFF), (CHARTER, Rule("직제 규정", "900"))),
        told=(("new", "직제 규정"), ("edited", "직제 규정")),
        before=(CHARTER,),
        files={"869": "!encrypted"},
    ),
    RegulationScenario(
        "regulations: a dead letter is renamed",
        ((CHARTER, STAFF), (CHARTER, Rule("직제에 관한 규정", "869"))),
        told=(("new", "직제 규정"), ("renamed", "직제에 관한 규정")),
        before=(CHARTER,),
        files={"869": "!encrypted"},
        dead={"직제에 관한 규정": "encrypted"},
    ),
    RegulationScenario(
        "regulations: two change names, one file is replaced",
        ((Rule("학칙", "869"), Rule("직제 규정", "900")),),
        told=(
            ("edited", "학칙"),
            ("edited", "직제 규정"),
            ("text_changed", "학칙"),
            ("text_changed", "직제 규정"),
        ),
        before=ALL[:2],
        files=FILES,
    ),
    RegulationScenario(
        "regulations: another revision of one number",
        ((Rule("학칙", "868", "&rev=2"), Rule("직제 규정", "869", "&rev=1")),),
        told=(("edited", "학칙"), ("text_changed", "학칙")),
        before=(Rule("학칙", "868", "&rev=1"), Rule("직제 규정", "869", "&rev=1")),
        files=FILES,
        replaced={"868": SECOND},
        entry={"fields": {"revision": REVISION}},
    ),
    RegulationScenario(
        "regulations: replaced in silence",
        (ALL[:2],),
        told=(("text_changed", "학칙"),),
        before=ALL[:2],
        files=FILES,
        replaced={"868": SECOND},
        entry={"recheck_days": 1},
        days=2,
    ),
    RegulationScenario(
        "regulations: a dead letter that is asked again",
        (ALL[:2],),
        before=ALL[:2],
        files={"868": "!encrypted"},
        replaced={"868": FIRST},
        entry={"recheck_days": 1},
    ),
    RegulationScenario(
        "regulations: down for 15 minutes",
        ((Rule("학칙", "900"),),),
        told=(("edited", "학칙"), ("text_changed", "학칙")),
        before=(CHARTER,),
        files=FILES,
        down=timedelta(minutes=15),
    ),
)
