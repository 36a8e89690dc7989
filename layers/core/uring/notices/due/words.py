"""The words of titles about deadlines and other days: Korean, English, a few others.

All expressions read a folded title, see `uring.notices.due.mentions.folded`.
"""

import re
from typing import Final


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words))


ACTION: Final = _any(
    r"신청|접수|모집|제출|응모|등록|공모|납부|납입|지원(?:서|자|기간|방법|접수|바랍)|채용|선발|참가|참여",
    r"수요\s?조사|설문|추천|예약|투표|반납|이수|수령|연장|장바구니|수강바구니|강의평가|이의|인턴|공고",
    r"대회|콘테스트|챌린지|해커톤|아이디어톤",
    r"모십니다|구합니다|하세요|바랍니다|튜터링|멘토링|장학|지원\s?(?:사업|프로그램)|교환|교류|신고|회신|요청|변경\s?기간",
    r"\bappl(?:y|ication|ications|icants?)\b|\bregist(?:er|ration)\b|\bsubmi(?:t|ssions?)\b|\brecruit",
    r"\bcall for\b|\benrol|\bsign[- ]?up\b|\bnominat|\bscholarships?\b|\bsurvey\b|\bpayment\b",
    r"\brsvp\b|\baccept",
    r"申請|申込|募集|応募|提出|报名|報名|申请|征集",
)
"""What a reader is asked to do."""

LABEL: Final = re.compile(
    r"(?:(?:신청|접수|모집|제출|응모|등록|공모|납부|지원|참가|예선)(?:\s?서류)?\s?"
    r"(?:(?:기간|기한|마감일?|일정|일시)\s{0,2}[(\[:;,은-]?|\s?:)|(?:마감|기한|마감일|마감일시|데드라인)"
    r"\s{0,2}[(\[:;,은-]?|(?:deadline|due(?: date)?|(?:applications?|registration)(?: period)?\s?:"
    r"|締切|〆切|截止|期限)\s{0,2}[(\[:-]?)\s{0,3}[(\[]?\s?$"
)
"""What stands before a period or a day and makes it one for an action."""

LAST: Final = re.compile(
    r"(?:마감|기한|마감일|마감일시|제출일|데드라인|deadline|due(?: date)?|closes?|closing(?: date)?"
    r"|締切|〆切|截止(?:日期)?|期限)\s{0,2}(?:\(|\[|:|-|,|은|on|is|by|at)?\s{0,3}$"
)
"""What stands before a day and makes it the last one."""

UNTIL_BEFORE: Final = re.compile(
    r"(?:\b(?:until|till|by|before|no later than)\s{0,2}(?:the\s)?|至|截至)\s?$"
)
UNTIL_AFTER: Final = re.compile(
    r"[\s,.)\]]{0,3}(?:오전|오후|자정|밤)?\s?(?:에?\s?(?P<closes>마감|종료|締切|〆切|截止)|까지|限|한(?![가-힣])|まで|为止|為止|deadline)"
)
"""What stands around a day and makes it the last one."""

FROM_AFTER: Final = re.compile(r"[\s,.)\]]{0,2}(?:부터|~|から|onwards?\b|이후|이전)")
"""What stands behind a day on which something begins."""

BETWEEN: Final = re.compile(r"[\s.)\]]{0,3}(?:~|-{1,2}|→|부터|から|to|until|至)\s{0,3}[(\[]?\s?$")
"""What stands between the two days of a period."""

ARROW: Final = re.compile(r"[\s.)\]]{0,3}(?:->|→|=>|⇒|➡|>)\s{0,2}[(\[~]?\s?$")
"""What stands between a day and the one that it was moved to."""

OPEN: Final = re.compile(r"~\s{0,3}(?:\(\s?)?$|[\[(]\s?-\s?$")
"""What stands before the end of a period that has begun."""

CLOSED: Final = re.compile(
    r"[\[(<]\s?(?:[가-힣]{0,4}\s?)?마감(?:됨|되었습니다|완료|했습니다)?\s?[\])>]|마감되었|모집\s?완료|접수\s?완료|\bclosed\b"
)
"""A title that says that it is over."""

OUTAGE: Final = _any(
    r"중단|휴관|휴무|휴점|휴업|휴강|통제|폐쇄|공사|점검|단축|제한|소독|방역|정전|단수|난방|냉방|출입|금지",
    r"\bclosures?\b|\bout of service\b|\bmaintenance\b|\bsuspen",
)
"""A period in which something is not to be had; its end is no deadline."""

RUNNING: Final = _any(
    r"운영|전시|할인|개방|이용|판매|축제|상영|공연|게시|공개|열람|사용|대여|배부|시행|실시|캠페인|개최|음악회|콘서트|마켓",
    r"\bexhibition|\bconcert|\bfestival|\bopen(?:ing)? hours|\bsale\b",
)
"""What goes on for some days."""

EVENT: Final = _any(
    r"특강|강의(?!\s?평가|계획|실)|강연|강좌|교육|캠프|설명회|간담회|세미나|워크숍|워크샵|심포지엄|포럼|학술|행사|축제|프로그램|실습|봉사",
    r"연수|답사|견학|탐방|대회|해커톤|아이디어톤|박람회|페스티벌|상담|훈련|시험|고사|면접|오리엔테이션|입학식|졸업식|학위수여",
    r"개강|종강|방학|입사|퇴사|입주|이사|근무|파견|선거|총회|검사|검진|체험|여행|이벤트|수업",
    r"\bseminar|\bworkshop|\blecture|\bconference|\bcamp\b|\bfair\b|\bevent|\bsession|\bexam",
    r"\btalk\b|\bceremony|\borientation|\bcolloquium|\bclass\b|\bprogram",
)
"""What takes place on days of its own: the period beside it may be its own."""

RESULT: Final = _any(
    r"결과|합격자|선정자|선발자|수상자|수상작|당첨자|대상자\s?(?:확인|안내|발표|명단|공고)|명단|발표(?!자|\s?자료|\s?세션|회)|\bresults?\b|\bwinners?\b",
)
"""A title that announces what has been decided."""

VISA: Final = _any(r"비자|사증|체류|유학생|외국인|\bvisa|\binternational|\bforeign")
"""D-2 and D-4 are kinds of visas, too."""

NUMBER: Final = re.compile(
    r"(?:평점|학점|성적|평균|점수|gpa|ver(?:sion)?|버전|linc|python|java|office|windows|\bv|제)\.?\s?$"
)
"""What stands before a number that is no date."""
