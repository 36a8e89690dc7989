"""A translation keeps a text's structure, letter by letter, whatever the service does (D4, D13)."""

import re
from collections.abc import Callable

import pytest
from fakes.language import Account, FakeTranslator
from fakes.objects import MemoryBucket
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.documents.work.answers import Answers
from uring.documents.work.ports import TranslatedDocument
from uring.documents.work.spending import Prices
from uring.documents.work.translation import DocumentTranslator, TextTooLong
from uring.errors import Permanent, Unavailable
from uring.language import AUTO, MOST_BYTES, Unanswered

PROPERTY = settings(max_examples=150, deadline=None, database=None, derandomize=True)

PIECES = (
    *"가나 다라.\n\r\t|`*_~[]()<>#-+>!\\&;:0123abé\u0301\u200d\u202e\u2028\x00\x85⟦⟧①",
    "\n\n",
    "```",
    "~~~",
    "<!--",
    "-->",
    "](",
    "https://x.example/a?b=1",
    "<br>",
    "&amp;",
    "⟦0⟧",
    "제1조(목적) ",
    "👩\u200d👩\u200d👧",
    "| 가 | 나 |\n|---|---|\n",
    "\ud800",
    "\u1112\u1161\u11ab",
)
texts = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)

REGULATION = """\
<!-- page 1 -->
# 제1장 총칙

제1조(목적) 이 규정은 **교육**에 관한 사항을 [학칙](https://rules.example/a_b "학칙")에 따라 정한다.

- 첫째, `code` 항목
  - [ ] 둘째 항목
1. 셋째 항목
가. 넷째 항목
① 다섯째 항목
(3) 여섯째 항목
> 인용한 문장

| 구분 | 기한 \\| 비고 |
|:---|---:|
| 휴학 | 30일 |
| 12 | 2026. 3. 1. |

```python
학칙 = "번역하지 않는다"
```

<!-- page 2 -->
[주]: https://rules.example/note
제2조 <개정 2026. 3. 1.> 이 규정은 <b>공포한 날</b>부터 시행한다. me@rules.example &amp; 끝.
"""


LONG = " ".join(f"{number}번째 글이다." for number in range(1_700))
"""Four requests."""


def stay(_: int, __: int) -> None:
    """Go on."""


def run(
    text: str,
    translator: FakeTranslator,
    *,
    bucket: MemoryBucket | None = None,
    spend: Account | None = None,
    go_on: Callable[[int, int], None] = stay,
    source: str = AUTO,
) -> TranslatedDocument:
    documents = DocumentTranslator(translator, Answers(bucket or MemoryBucket()))
    return documents.translate(
        text, target="en", spend=spend or Account(), go_on=go_on, source=source
    )


def shout(text: str) -> str:
    """Put a mark behind each word, as no identity can."""
    return re.sub(r"[^\W\d_]+", lambda word: f"{word[0]}~en", text)


@PROPERTY
@given(texts)
def test_a_service_that_changes_nothing_changes_nothing(text: str) -> None:
    assert run(text, FakeTranslator()).text == text


@PROPERTY
@given(texts)
def test_words_change_and_all_else_stays(text: str) -> None:
    assert run(text, FakeTranslator(shout)).text.replace("~en", "") == text


@PROPERTY
@given(texts)
def test_a_service_that_loses_lines_and_marks_harms_no_structure(text: str) -> None:
    def spoil(said: str) -> str:
        return re.sub("[⟦⟧]", "", said.replace("\n", " "))

    assert run(text, FakeTranslator(spoil)).text == text


def test_the_structure_of_a_regulation_is_kept() -> None:
    translated = run(REGULATION, FakeTranslator(lambda text: re.sub("[가-힣]", "x", text))).text
    kept = """\
<!-- page 1 -->
# x1x xx

x1x(xx) x xxx **xx**x xx xxx [xx](https://rules.example/a_b "학칙")x xx xxx.

- xx, `code` xx
  - [ ] xx xx
1. xx xx
가. xx xx
① xxx xx
(3) xxx xx
> xxx xx

| xx | xx \\| xx |
|:---|---:|
| xx | 30x |
| 12 | 2026. 3. 1. |

```python
학칙 = "번역하지 않는다"
```

<!-- page 2 -->
[주]: https://rules.example/note
x2x <xx 2026. 3. 1.> x xxx <b>xxx x</b>xx xxxx. me@rules.example &amp; x.
"""
    assert translated == kept


def test_what_has_no_words_is_not_sent() -> None:
    translator = FakeTranslator()
    document = run("---\n\n| 12 | 2026. 3. 1. |\n`코드` https://x.example\n<!-- 쪽 -->", translator)
    assert translator.asked == []
    assert (document.requests, document.cost_micros, document.source_language) == (0, 0, "")


def test_a_bracket_behind_a_bracket_is_no_link() -> None:
    translator = FakeTranslator()
    run("[별표 1](제3조 관련) ⟦0⟧", translator)
    assert translator.texts == ["[별표 1](제3조 관련) ⟦0⟧0⟦1⟧"]


def test_what_has_no_end_is_text() -> None:
    translator = FakeTranslator(shout)
    text = "```a\n가\n~~~\n나\n<!-- 다\n라"
    assert run(text, translator).text == "```a~en\n가~en\n~~~\n나~en\n<!-- 다~en\n라~en"


@pytest.mark.parametrize("said", ["# 제목", "- 하나", "1. 하나", "> 말", "```", "=====", "+ 하나"])
def test_no_translation_becomes_another_block(said: str) -> None:
    translated = run("가나", FakeTranslator(lambda _: said)).text
    assert translated != said
    assert translated.replace("\\", "") == said


def test_no_translation_becomes_another_cell_or_line() -> None:
    translator = FakeTranslator(lambda text: text.replace("가", "a|b\nc\u2028d"))
    assert run("| 가 | 나 |", translator).text == "| a\\|b c d | 나 |"


def test_a_line_whose_mark_is_lost_is_asked_for_by_its_words() -> None:
    def lose(text: str) -> str:
        return text.replace("⟦1⟧", "")

    translator = FakeTranslator(lose)
    assert run("가 **나** 다\n라", translator).text == "가 **나** 다\n라"
    assert translator.texts == ["가 ⟦0⟧나⟦1⟧ 다\n라", "가", "나", "다"]


@pytest.mark.parametrize(
    "said",
    ["나 ⟦0⟧", "⟦1⟧나⟦0⟧", "⟦0⟧나⟦1⟧⟦1⟧", "⟦0⟧나⟦1⟧⟦2⟧", "⟦0⟧나⟦ 1⟧", "⟦0⟧나⟦1⟧ ⟦", ""],
)
def test_a_mark_that_is_not_as_it_was_is_not_believed(said: str) -> None:
    translator = FakeTranslator(lambda text: said if "⟦" in text else f"<{text}>")
    assert run("**나**", translator).text == "**<나>**"


class TestRequests:
    @pytest.mark.parametrize(
        "text",
        [
            "가" * 50_000,
            "가나 다라. " * 10_000,
            "e" + "\u0301" * 30_000,
            "가 **" * 9_000,
            "| 가 " * 20_000,
            "a\n" * 30_000,
            "👩\u200d" * 9_000,
        ],
    )
    def test_each_is_as_long_as_the_service_takes_and_few_are_short(self, text: str) -> None:
        translator = FakeTranslator()
        assert run(text, translator).text == text
        sizes = [len(asked.encode()) for asked in translator.texts]
        assert all(each > MOST_BYTES // 3 for each in sizes[:-1])

    def test_no_letter_is_taken_apart_at_the_limit(self) -> None:
        text = "\u1112\u1161\u11ab" * 3_000
        translator = FakeTranslator()
        run(text, translator)
        assert len(translator.texts) > 1
        assert {len(asked) % 3 for asked in translator.texts} == {0}

    def test_a_sentence_is_whole_where_it_fits(self) -> None:
        translator = FakeTranslator()
        run("이 규정은 학생에게 적용한다. " * 1_000, translator)
        assert len(translator.texts) > 1
        assert all(asked.endswith("적용한다.") for asked in translator.texts)

    def test_the_first_answer_names_the_language_for_the_others(self) -> None:
        translator = FakeTranslator()
        document = run(LONG, translator)
        assert [source for _, source, _ in translator.asked] == [AUTO, "ko", "ko", "ko"]
        assert document.source_language == "ko"

    def test_a_piece_in_the_target_language_does_not_name_it(self) -> None:
        translator = FakeTranslator(language="en")
        run("abc def. " * 3_000, translator)
        assert {source for _, source, _ in translator.asked} == {AUTO}

    def test_a_named_language_is_used(self) -> None:
        translator = FakeTranslator()
        run("가", translator, source="ja")
        assert translator.asked == [("가", "ja", "en")]

    def test_a_longer_text_is_refused_before_anything_is_asked(self) -> None:
        translator = FakeTranslator()
        documents = DocumentTranslator(translator, Answers(MemoryBucket()), most_characters=9)
        with pytest.raises(TextTooLong, match="10 characters, at most 9"):
            documents.translate("가" * 10, target="en", spend=Account(), go_on=stay)
        assert translator.asked == []


class TestMoney:
    def test_a_second_translation_costs_nothing(self) -> None:
        bucket, first, second = MemoryBucket(), Account(), Account()
        once, twice = FakeTranslator(shout), FakeTranslator(shout)
        before = run(REGULATION, once, bucket=bucket, spend=first)
        after = run(REGULATION, twice, bucket=bucket, spend=second)
        assert after.text == before.text
        assert (twice.asked, second.reserved, after.cost_micros) == ([], [], 0)
        assert first.spent == before.cost_micros == 15 * before.characters

    @pytest.mark.parametrize("change", ["variant", "source", "text"])
    def test_another_request_is_another_answer(self, change: str) -> None:
        bucket = MemoryBucket()
        run("가", FakeTranslator(), bucket=bucket)
        again = FakeTranslator(variant="other" if change == "variant" else "fake")
        source = "ko" if change == "source" else AUTO
        run("나" if change == "text" else "가", again, bucket=bucket, source=source)
        assert len(again.asked) == 1

    def test_an_empty_account_pays_for_nothing_and_keeps_what_was_done(self) -> None:
        text = LONG
        bucket, translator = MemoryBucket(), FakeTranslator()
        with pytest.raises(Permanent, match="account is empty"):
            run(text, translator, bucket=bucket, spend=Account(left=15 * 10_000))
        done = len(translator.asked)
        assert 0 < done < 4
        rest = FakeTranslator()
        assert run(text, rest, bucket=bucket).text == text
        assert done + len(rest.asked) == 4

    def test_the_work_ends_where_it_is_told_to(self) -> None:
        class NoTimeLeft(Exception):
            pass

        def stop(done: int, of: int) -> None:
            assert of == 4
            if done == 2:
                raise NoTimeLeft

        translator = FakeTranslator()
        with pytest.raises(NoTimeLeft):
            run(LONG, translator, go_on=stop)
        assert len(translator.asked) == 2

    @pytest.mark.parametrize(("error", "cost"), [(Unavailable("x"), 0), (Unanswered("x"), 30)])
    def test_only_what_may_have_been_done_is_paid(self, error: Exception, cost: int) -> None:
        def fail(_: str) -> str:
            raise error

        account = Account()
        with pytest.raises(type(error)):
            run("가나", FakeTranslator(fail), spend=account)
        assert account.settled == [(30, cost)]

    def test_an_answer_that_cannot_be_kept_is_paid_all_the_same(self) -> None:
        class Full(MemoryBucket):
            def write(self, *_: object, **__: object) -> None:
                raise Unavailable("the bucket")

        account = Account()
        with pytest.raises(Unavailable, match="bucket"):
            run("가나", FakeTranslator(), bucket=Full(), spend=account)
        assert account.spent == 30

    @pytest.mark.parametrize(
        "kept", [b"", b"[]", b"{", b'{"answer": 1}', b'{"answer": {"text": 1}}', b"[" * 100_000]
    )
    def test_a_damaged_answer_is_asked_for_again(self, kept: bytes) -> None:
        bucket = MemoryBucket()
        run("가", FakeTranslator(), bucket=bucket)
        (key,) = bucket.versions
        bucket.plant(key, kept)
        again = FakeTranslator()
        assert run("가", again, bucket=bucket).text == "가"
        assert len(again.asked) == 1

    def test_the_estimate_is_what_it_costs_when_all_goes_well(self) -> None:
        documents = DocumentTranslator(FakeTranslator(), Answers(MemoryBucket()))
        assert documents.estimate("# 가나\n\n`다` 라\n") == Prices().translation(2 + 5)
