"""Invented titles and articles of regulations, put together from small word lists."""

from collections.abc import Collection
from random import Random
from typing import Final

from uring_local.sites.registry.model import MARK, Article

_SUBJECTS: Final = (
    "학사 운영", "교원 인사", "직원 복무", "장학금 지급", "연구비 관리", "도서관 이용",
    "기록물 관리", "정보 보안", "산학협력단", "평생교육원", "국제교류", "학생 상벌", "입학 전형",
    "교육과정 편성", "실험실 안전", "시설물 사용", "차량 관리", "예산 편성", "물품 구매",
    "감사", "성과 평가", "보수", "여비 지급", "위임 전결", "문서 관리", "공인 관리", "대학원 학위",
    "현장실습 학기", "교육실습", "천문대 관람", "별빛홀 대관", "학술지 발간", "명예교수 추대",
    "계약 심의", "생활관 입사",
)  # fmt: skip
_KINDS: Final = ("규정", "시행세칙", "운영규정", "관리지침")
# Another word for each kind, for renames; a second rename gives the first title back.
_RENAMES: Final = {
    "규정": "규칙",
    "시행세칙": "세칙",
    "운영규정": "운용규정",
    "관리지침": "관리요령",
}
RENAMES: Final = _RENAMES | {new: old for old, new in _RENAMES.items()}
PARTS: Final = ("학칙", "학사행정", "일반행정")
CHAPTERS: Final = ("기본", "조직", "인사", "학사", "연구", "재무", "시설", "복지", "부속기관")
_HEADINGS: Final = (
    "정의", "적용 범위", "구성", "임기", "직무", "회의", "심의 사항", "운영", "신청", "심사",
    "지급", "반환", "점검", "보고", "비밀 유지", "예산", "결산", "준용", "기록", "이의 신청",
    "교육", "포상",
)  # fmt: skip
_WHO: Final = (
    "총장은",
    "위원장은",
    "관장은",
    "소속 부서의 장은",
    "위원회는",
    "신청인은",
    "담당자는",
)
_WHEN: Final = (
    "매 학기 초에",
    "필요한 때에",
    "회계연도 말까지",
    "신청일부터 14일 이내에",
    "수시로",
)
_WHAT: Final = (
    "세부 계획을 세워", "서면으로 의견을 들어", "별지 서식에 따라", "그 사유를 밝혀", "관계 부서와",
    "전자문서로", "심의를 거쳐",
)  # fmt: skip
_DOES: Final = (
    "정하여야 한다.", "알려야 한다.", "협의할 수 있다.", "보고한다.", "제출하여야 한다.",
    "다시 정할 수 있다.",
)  # fmt: skip


def new_title(random: Random, taken: Collection[str]) -> str:
    """Return a title that is not taken; a numbered one once the word lists are used up."""
    free = [
        title
        for subject in _SUBJECTS
        for kind in _KINDS
        if (title := f"{subject} {kind}") not in taken
    ]
    return random.choice(free) if free else f"제{len(taken)}호 임시 운영규정"


def renamed(title: str) -> str:
    """Return a title with another word for its kind, its last word, which no other title has."""
    head, _, kind = title.partition("<")[0].rpartition(" ")
    return f"{head} {RENAMES[kind]}" if kind in RENAMES else f"통합 {title}"


def marked(title: str) -> str:
    """Return a title with a mark of amendment at its end, or without the one it has."""
    return title.partition("<")[0] if "<" in title else title + "".join(MARK.split())


def spaced(title: str) -> str:
    """Return a title with one space fewer, or one more if it has none."""
    head, space, tail = title.rpartition(" ")
    return f"{head}{tail}" if space else f"{title[:-2]} {title[-2:]}"


def sentence(random: Random) -> str:
    """Return a random sentence of a regulation."""
    words = (_WHO, _WHEN, _WHAT, _DOES)
    return " ".join(random.choice(choices) for choices in words)


def articles(random: Random, title: str) -> tuple[Article, ...]:
    """Return the articles of a regulation, the purpose first."""
    purpose = f"이 {title.rpartition(' ')[2]}은 {title}에 필요한 사항을 정함을 목적으로 한다."
    headings = random.sample(_HEADINGS, random.randint(5, 14))
    return (
        Article("제1조", "목적", purpose),
        *(
            Article(f"제{number}조", heading, _clauses(random))
            for number, heading in enumerate(headings, 2)
        ),
    )


def _clauses(random: Random) -> str:
    first, *others = (sentence(random) for _ in range(random.randint(1, 3)))
    if not others:
        return first
    return " ".join(f"{mark} {text}" for mark, text in zip("①②③", (first, *others), strict=False))
