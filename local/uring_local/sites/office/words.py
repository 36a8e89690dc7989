"""Invented agreements of an office, in Korean and English, put together from small word lists."""

from random import Random
from typing import Final, Literal

Language = Literal["ko", "en"]

_TITLES: Final = {
    "ko": ("공동 지도 협약", "기숙사 이용 안내", "연구 자료 보관 지침", "교환 학생 운영안",
           "실험실 출입 규칙", "논문 심사 절차"),
    "en": ("Joint supervision agreement", "Guide to the guest house", "Archive of research data",
           "Exchange of students", "Access to the laboratories", "Examination of a thesis"),
}  # fmt: skip
_WHO: Final = {
    "ko": ("두 대학은", "지도 교수는", "담당 부서는", "학생은", "심사 위원회는", "사무국은"),
    "en": ("Both universities", "The supervisors", "The office", "Every student", "The board",
           "The registrars"),
}  # fmt: skip
_WHEN: Final = {
    "ko": ("매 학기 초에", "연말까지", "신청 후 열흘 안에", "필요하면", "서명한 날부터"),
    "en": ("at the start of a term", "before the end of the year", "within ten days",
           "where it is needed", "from the day of signature"),
}  # fmt: skip
_DOES: Final = {
    "ko": ("계획을 함께 정한다.", "서로 알린다.", "비용을 나누어 낸다.", "기록을 남긴다.",
           "이의를 들을 수 있다."),
    "en": ("agree on a plan.", "inform each other.", "share the costs.", "keep a record.",
           "may hear an objection."),
}  # fmt: skip
_ISSUES: Final = {
    "ko": ("기한이 서로 다르다", "비용을 누가 내는지 없다", "서명할 사람이 빠졌다",
           "언어 조항이 어긋난다", "보관 기간이 두 가지다", "심사 위원 수가 다르다"),
    "en": ("the deadlines differ", "nobody pays the insurance", "a signature is missing",
           "the languages contradict", "two periods of storage", "the board has no chair"),
}  # fmt: skip


def title(random: Random, language: Language) -> str:
    """Return the title of an agreement."""
    return random.choice(_TITLES[language])


def paragraph(random: Random, language: Language, sentences: int) -> str:
    """Return a paragraph of `sentences` random sentences."""
    lists = (_WHO[language], _WHEN[language], _DOES[language])
    return " ".join(" ".join(random.choice(words) for words in lists) for _ in range(sentences))


def issue(language: Language, number: int) -> str:
    """Return the words of an issue; another number gives other words."""
    words = _ISSUES[language]
    again, place = divmod(number, len(words))
    return f"{words[place]} {again + 1}" if again else words[place]


def note(random: Random) -> str:
    """Return an editor's remark in Markdown; a random number makes it unique."""
    return f"- *{random.choice(_WHO['en'])}*: 확인 {random.randrange(10**9):09}"
