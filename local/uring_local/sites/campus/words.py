"""Invented Korean titles, put together from small word lists.

Every character exists in CP949. As on real boards, some (``똠``, ``펲``) are missing from plain
KS X 1001, and some need escaping in HTML.
"""

from random import Random
from typing import Final

_AUDIENCES: Final = (
    "재학생", "신입생", "졸업예정자", "복학생", "휴학생", "편입생", "대학원생", "외국인 유학생",
    "전과생", "조교",
)  # fmt: skip
_TOPICS: Final = (
    "수강신청", "교내장학금", "현장실습", "캡스톤디자인", "졸업논문", "교환학생", "근로장학생",
    "영어특강", "취업캠프", "학생회비", "기숙사 입사", "튜터링", "Q&A 간담회", "진로상담",
    "연구윤리 교육", "안전교육", "「새봄」 공모전", "동아리 '똠얌'", "멘토링 <2기>",
    "펲시 프로그램", "서버실·실습실 이용", "예비군 훈련", "계절학기", "전공설명회",
)  # fmt: skip
_ACTIONS: Final = (
    "신청 안내", "일정 안내", "모집", "결과 발표", "참가자 모집", "설문 요청", "오리엔테이션 안내",
    "서류 제출 안내", "유의사항", "추가 모집",
)  # fmt: skip
MARKERS: Final = (
    "",
    " (수정)",
    " (기한 연장)",
    " (마감)",
    " (장소 변경)",
    " (추가 안내)",
    " (재공지)",
)


def new_title(random: Random, taken: set[str]) -> str:
    """Return a title that is not in ``taken``, and add it there."""
    term = f"{random.randint(2024, 2027)}학년도 {random.randint(1, 2)}학기"
    base = f"{term} {random.choice(_AUDIENCES)} {random.choice(_TOPICS)} {random.choice(_ACTIONS)}"
    title, issue = base, 1
    while title in taken:
        issue += 1
        title = f"{base} 제{issue}차"
    taken.add(title)
    return title
