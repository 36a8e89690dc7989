"""Statutes of invented universities, revised at random, with the changes of each revision.

Every piece keeps its identity from one revision to the next, so the changes are known without any
comparison of texts.
"""

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Final

from uring_local.sites.files.paper import Paper, Table, table

Change = tuple[str, str]
"""The key and the kind of a change, as `compare` names them."""


def listed(text: str) -> list[str]:
    return text.split("|")


WHO: Final = listed(
    "총장|학장|교무처장|학생처장|입학본부장|평의원회|대학원위원회|운영위원회|학과장"
)
WHAT: Final = listed(
    "등록금의 책정|전공의 배정|장학금의 지급|강의 평가의 결과|실험실의 안전|도서관의 이용|"
    "학점의 인정|교육과정의 편성|시설물의 대여|연구비의 집행|기숙사의 입사|졸업 논문의 심사|"
    "휴학 기간의 연장|국제 교류의 협정|발전기금의 운용|성적 증명서의 발급|학생회의 선거|"
    "입학 전형의 절차|보직자의 임면"
)
HOW: Final = listed(
    "미리 공고하고|관계 부서와 협의하여|심의를 거쳐|서면으로 통지하고|매 학년도가 시작되기 전에|"
    "부득이한 사유가 없으면|예산의 범위에서|다른 규정에도 불구하고|전자문서로 접수하여|공정하게"
)
DOES: Final = listed("정한다|결정한다|시행한다|승인할 수 있다|보고하여야 한다|위임한다|조정한다")
ABOUT: Final = listed(
    "목적|정의|적용 범위|이사회|각종 위원회|의결 정족수|등록|수강 신청|성적|휴학과 복학|제적|"
    "졸업|장학생|가산점|과정의 이수|의료비|중앙도서관|이의 신청|전과|재입학|학위의 수여|"
    "공개강좌|상벌|보칙|위임|학생 자치|회계|감사|기금|시설|연구소|부속병원|은퇴 교수|이수 단위|"
    "국내 연수|교환 학생"
)
SHIFTS: Final = {"add_and_shift", "remove_and_shift"}
"""What renumbers: a renumbered article that is deleted, too, is another article to any reader."""
REFERENCE: Final = re.compile(r"⟦(\d+)⟧")


@dataclass
class Line:
    """A line and its mark of amendment; ``⟦7⟧`` refers to the article of that identity."""

    text: str
    mark: str = ""


@dataclass
class Piece:
    """A heading, or an article; ``covers`` are the articles deleted with it, which say nothing."""

    uid: int
    kind: str
    number: tuple[int, int] = (0, 0)
    name: str = ""
    title: str = ""
    body: list[Line | Table] = field(default_factory=list)
    is_bare: bool = False
    is_deleted: bool = False
    is_silent: bool = False
    covers: str = ""

    @property
    def key(self) -> str:
        number, more = self.number
        unit = {"article": "조", "chapter": "장", "section": "절"}[self.kind]
        return f"제{number}{unit}{f'의{more}' if more else ''}"


@dataclass
class Statute:
    """The pieces of a statute in order, and where references lead."""

    title: str
    pieces: list[Piece]

    def keyed(self) -> dict[int, str]:
        """Return the keys of the pieces by identity."""
        scope = chapter = ""
        keys = {}
        for piece in self.pieces:
            if piece.kind in ("supplement", "annex"):
                name = "".join(piece.name.split())
                scope = re.sub(r"[<>()\[\]]", "", name) if piece.kind == "supplement" else name
                keys[piece.uid] = scope
                continue
            chapter = piece.key if piece.kind == "chapter" else chapter
            above = chapter if piece.kind == "section" else scope
            keys[piece.uid] = f"{above}/{piece.key}" if above else piece.key
        return keys

    def words(self) -> dict[int, str]:
        """Return what each piece says, without its number and marks, by identity."""
        return {
            each.uid: repr((each.title, [self.shown(line) for line in each.body], each.is_deleted))
            for each in self.pieces
        }

    def shown(self, line: Line | Table, *, marks: bool = False) -> str | Table:
        if isinstance(line, Table):
            return line
        numbers = {piece.uid: piece.key for piece in self.pieces if piece.kind == "article"}
        text = REFERENCE.sub(lambda found: numbers[int(found[1])], line.text)
        return f"{text} {line.mark}" if marks and line.mark else text

    def paper(self, breaks: int = 0) -> Paper:
        """Return the statute; items are paragraphs, lines of one, or go on in the line before."""
        blocks: list[str | Table] = []
        for piece in self.pieces:
            shown = [self.shown(line, marks=True) for line in piece.body]
            for block in self._printed(piece, shown):
                joins = isinstance(block, str) and bool(blocks) and isinstance(blocks[-1], str)
                if joins and isinstance(block, str) and block[0] in "①②③④1234가나다" and breaks:
                    between = " " if breaks > 1 and block[0] in "①②③④" else "\n"
                    blocks[-1] = f"{blocks[-1]}{between}{block}"
                else:
                    blocks.append(block)
        return Paper(self.title, tuple(blocks))

    def _printed(self, piece: Piece, shown: list[str | Table]) -> Iterator[str | Table]:
        if piece.is_silent:
            return
        if piece.kind == "article":
            head = f"{piece.key}({piece.title})" if piece.title else piece.key
            if piece.is_deleted:
                yield f"{piece.covers or piece.key} 삭제 <2026. 3. 1.>"
                return
            first = shown.pop(0)
            yield f"{head} {first}"
        elif piece.kind == "supplement":
            word = "부 칙" if piece.is_bare else "부칙"
            yield f"{word} {piece.name.removeprefix('부칙')}"
        elif piece.kind == "annex":
            mark = "" if piece.is_bare else " <개정 2025. 9. 1.>"
            name = f"[{piece.name}]{mark}"
            yield f"[{piece.name}] {piece.title}" if piece.is_bare else f"■ {self.title} {name}"
            if not piece.is_bare:
                yield piece.title
        else:
            yield f"{piece.key} {piece.title}"
        yield from shown


class Author:
    """Writes statutes and revises them; equal seeds write the same."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.uid = 0
        self.titles = self.random.sample(ABOUT, len(ABOUT))

    def next(self) -> int:
        self.uid += 1
        return self.uid

    def sentence(self, earlier: list[Piece] | None = None) -> str:
        pick = self.random.choice
        clauses = f"{pick(WHO)}은 {pick(WHAT)}에 관하여 {pick(HOW)}"
        clauses += f" {pick(WHAT)}에 관한 사항을 {pick(HOW)}"
        if earlier and self.random.random() < 0.3:
            clauses = f"⟦{pick(earlier).uid}⟧{pick(['제2항', '', '제1항제3호'])}에 따라 {clauses}"
        if self.random.random() < 0.4:
            unit = pick(["일 이내에", "명 이상의 찬성으로", "학점까지"])
            clauses += f" {self.random.randint(2, 90)}{unit}"
        return f"{clauses} {pick(DOES)}."

    def mark(self) -> str:
        if self.random.random() > 0.25:
            return ""
        day = f"20{self.random.randint(10, 26)}. {self.random.randint(1, 12)}. 1."
        return self.random.choice(
            [f"<개정 {day}>", f"[본조신설 {day}]", f"<신설 {day}, 2026. 3. 1.>"]
        )

    def table(self) -> Table:
        rows = [
            (
                self.random.choice(["가등급", "나등급", "다등급"]),
                f"{self.random.randint(1, 99)},000",
                word,
            )
            for word in self.random.sample(WHO, 4)
        ]
        return table(("구분", "금액", "비고"), *rows)

    def body(self, earlier: list[Piece]) -> list[Line | Table]:
        lines: list[Line | Table] = [Line(self.sentence(earlier), self.mark())]
        shape = self.random.choice(["plain", "plain", "items", "paragraphs", "table"])
        if shape == "items":
            lines = [Line("다음 각 호의 사항은 " + self.sentence(earlier))]
            for at in range(1, self.random.randint(3, 5)):
                lines.append(Line(f"{at}. {self.random.choice(WHAT)}에 관한 사항", self.mark()))
                if self.random.random() < 0.3:
                    lines.append(Line(f"가. {self.random.choice(WHAT)}"))
                    lines.append(
                        Line(f"1) {self.random.choice(WHAT)}과 {self.random.choice(WHAT)}")
                    )
        elif shape == "paragraphs":
            signs = "①②③④"[: self.random.randint(2, 4)]
            lines = [Line(f"{sign} {self.sentence(earlier)}", self.mark()) for sign in signs]
        elif shape == "table":
            lines.append(self.table())
        return lines

    def article(
        self, number: tuple[int, int], earlier: list[Piece], *, titled: bool = True
    ) -> Piece:
        title = self.titles.pop() if titled else ""
        return Piece(self.next(), "article", number, title=title, body=self.body(earlier))

    def supplement(self, at: int, year: int) -> list[Piece]:
        pick, day = self.random.choice, f"{year}. {self.random.randint(1, 12)}. 1."
        names = [
            f"<제{at}호, {day}>",
            f"<{day}>",
            f"(가람대학교 직제 규정의 일부개정에 관한 규정) <제{at}호, {day}>",
        ]
        head = Piece(self.next(), "supplement", name=f"부칙{pick(names)}", is_bare=bool(at % 2))
        if self.random.random() < 0.4:
            head.body = [Line(f"이 학칙은 {day.replace('. ', '년 ', 1)[:-1]}부터 시행한다.")]
            return [head]
        one = Line(f"이 학칙은 {day} 공포한 날부터 시행한다.")
        two = Line(f"이 학칙 시행 당시의 {pick(WHAT)}은 종전의 규정에 따른다.")
        return [
            head,
            Piece(self.next(), "article", (1, 0), title="시행일", body=[one]),
            Piece(self.next(), "article", (2, 0), title="경과조치", body=[two]),
        ]

    def annex(self, at: int, articles: list[Piece]) -> Piece:
        body: list[Line | Table] = [self.table(), Line(f"비고: {self.sentence()}")]
        about = f"{self.random.choice(WHAT)}(⟦{self.random.choice(articles).uid}⟧ 관련)"
        body.insert(0, Line(f"기준은 {about}으로 한다."))
        name = f"{self.random.choice(['별표 ', '별표'])}{at}"
        title = self.random.choice(WHAT)
        return Piece(self.next(), "annex", name=name, title=title, body=body, is_bare=bool(at % 2))

    def statute(self) -> Statute:
        titled = self.random.random() < 0.75
        articles: list[Piece] = []
        pieces: list[Piece] = []
        for chapter in range(1, self.random.randint(3, 5)):
            pieces.append(Piece(self.next(), "chapter", (chapter, 0), title=self.titles.pop()))
            has_sections = self.random.random() < 0.4
            for section in range(1, 3 if has_sections else 2):
                if has_sections:
                    title = f"{self.random.choice(WHO)}의 직무"
                    pieces.append(Piece(self.next(), "section", (section, 0), title=title))
                for _ in range(self.random.randint(2, 4)):
                    number = (len(articles) + 1, 0)
                    articles.append(self.article(number, articles, titled=titled))
                    pieces.append(articles[-1])
        if self.random.random() < 0.3:
            self.delete(articles[len(articles) // 2])
        for at, year in enumerate(sorted(self.random.sample(range(2005, 2025), 3)), 1):
            pieces += self.supplement(at, year)
        pieces += [self.annex(at, articles) for at in range(1, self.random.randint(2, 4))]
        title = f"{self.random.choice(['가람', '누리', '다온'])}대학교 학칙"
        return Statute(title, pieces)

    @staticmethod
    def delete(piece: Piece) -> None:
        piece.title, piece.body, piece.is_deleted = "", [], True


class Revision:
    """A revision of a statute and the changes that it made."""

    def __init__(self, author: Author, old: Statute, count: int) -> None:
        self.author, self.random, self.old, self.new = author, author.random, old, deepcopy(old)
        self.touched: set[int] = set()
        self.moved: set[int] = set()
        self.done: list[str] = []
        while len(self.done) < count:
            act = self.random.choice(ACTS)
            if act.__name__ not in self.done and act(self):
                self.done.append(act.__name__)

    def main(self) -> list[Piece]:
        """The articles before the first supplement, in order."""
        pieces = self.new.pieces
        end = next(at for at, piece in enumerate(pieces) if piece.kind == "supplement")
        return [piece for piece in pieces[:end] if piece.kind == "article"]

    def referred(self) -> set[int]:
        lines = [line for piece in self.new.pieces for line in piece.body if isinstance(line, Line)]
        return {int(uid) for line in lines for uid in REFERENCE.findall(line.text)}

    def pick(self, *, lone: bool = False) -> Piece | None:
        """Return an untouched article in force, and touch it; ``lone``: nothing refers to it."""
        referred = self.referred() if lone else set()
        found = [
            piece
            for piece in self.main()[1:]
            if not piece.is_deleted and piece.uid not in self.touched | referred
        ]
        if not found:
            return None
        piece = self.random.choice(found)
        self.touched.add(piece.uid)
        return piece

    def put(self, piece: Piece, behind: Piece) -> None:
        self.touched.add(piece.uid)
        self.new.pieces.insert(self.new.pieces.index(behind) + 1, piece)

    def word(self) -> bool:
        return self._replace(
            r"[가-힣]{3,}에 관하여", lambda _: f"{self.random.randint(2, 9)}과목에 관하여"
        )

    def digit(self) -> bool:
        return self._replace(
            r"\d+(?=일 이내|명 이상|학점까지)", lambda found: f"{int(found[0]) + 1}"
        )

    def _replace(self, pattern: str, new: Callable[[re.Match[str]], str]) -> bool:
        piece = self.pick()
        for line in piece.body if piece else []:
            if isinstance(line, Line) and re.search(pattern, line.text):
                line.text = re.sub(pattern, new, line.text, count=1)
                line.mark = "<개정 2026. 3. 1.>"
                return True
        return False

    def item(self) -> bool:
        piece = self.pick()
        if piece is None or isinstance(piece.body[-1], Table):
            return False
        piece.body.append(
            Line(f"{len(piece.body) + 1}. {self.random.choice(WHAT)}", "<신설 2026. 3. 1.>")
        )
        return True

    def title(self) -> bool:
        piece = self.pick()
        if piece is None or not piece.title:
            return False
        piece.title = f"{piece.title}의 기준"
        return True

    def add_between(self) -> bool:
        """제4조의2 behind 제4조."""
        piece = self.pick()
        if piece is None:
            return False
        number = (piece.number[0], piece.number[1] + 1)
        self.put(self.author.article(number, [], titled=bool(piece.title)), piece)
        return True

    def add_and_shift(self) -> bool:
        piece = self.pick()
        if piece is None or not self._shift(piece, 1):
            return False
        number = (piece.number[0] + 1, 0)
        self.put(self.author.article(number, [], titled=bool(piece.title)), piece)
        return True

    def remove_and_shift(self) -> bool:
        piece = self.pick(lone=True)
        if piece is None or not self._shift(piece, -1):
            return False
        self.new.pieces.remove(piece)
        return True

    def _shift(self, piece: Piece, step: int) -> bool:
        """Renumber the articles behind one; False where a deleted or an inserted one stands."""
        main = self.main()
        behind = main[main.index(piece) + 1 :]
        if (SHIFTS | {"delete_range"}) & {*self.done}:
            return False
        if any(each.is_deleted or each.number[1] for each in [piece, *behind]):
            return False
        for each in behind:
            each.number = (each.number[0] + step, 0)
        return True

    def remove(self) -> bool:
        piece = self.pick(lone=True)
        if piece is None:
            return False
        self.new.pieces.remove(piece)
        return True

    def delete(self) -> bool:
        piece = self.pick(lone=True)
        if piece is None or SHIFTS & {*self.done}:
            return False
        self.author.delete(piece)
        return True

    def delete_range(self) -> bool:
        main, referred = self.main(), self.referred() | self.touched
        if SHIFTS & {*self.done}:
            return False
        for one, two, three in zip(main, main[1:], main[2:], strict=False):
            three_of_them = (one, two, three)
            numbers = {(one.number[0] + at, 0) for at in range(3)}
            if numbers != {each.number for each in three_of_them} or any(
                each.uid in referred or each.is_deleted for each in three_of_them
            ):
                continue
            for each in three_of_them:
                self.touched.add(each.uid)
                self.author.delete(each)
                each.is_silent = each is not one
            one.covers = f"{one.key}부터 {three.key}까지"
            return True
        return False

    def move(self) -> bool:
        """The last article of a chapter becomes the first of the next, with its number."""
        pieces, known = self.new.pieces, {piece.uid for piece in self.old.pieces}
        for at in range(len(pieces) - 1):
            one, two = pieces[at], pieces[at + 1]
            if two.uid not in known:
                continue
            if one.kind == "article" and two.kind == "chapter" and one.uid not in self.touched:
                if (
                    pieces[at + 2].kind != "article"
                    or one.is_deleted
                    or pieces[at - 1].kind != "article"
                ):
                    continue
                pieces[at], pieces[at + 1] = two, one
                self.touched.add(one.uid)
                self.moved.add(one.uid)
                return True
        return False

    def heading(self) -> bool:
        found = [each for each in self.new.pieces if each.kind in ("chapter", "section")]
        piece = self.random.choice(
            [each for each in found if each.uid not in self.touched] or [None]
        )
        if piece is None:
            return False
        self.touched.add(piece.uid)
        piece.title = f"{self.author.titles.pop()}과 {piece.title}"
        return True

    def chapter(self) -> bool:
        """A new last chapter, 제5장 or 제3장의2."""
        last = self.main()[-1]
        chapters = [each for each in self.new.pieces if each.kind == "chapter"]
        number = self.random.choice([(len(chapters), 2), (len(chapters) + 1, 0)])
        piece = Piece(self.author.next(), "chapter", number, title=self.author.titles.pop())
        article = self.author.article((last.number[0] + 1, 0), [], titled=bool(last.title))
        if last.is_silent or SHIFTS & {*self.done}:
            return False
        self.put(piece, last)
        self.put(article, piece)
        return True

    def cell(self) -> bool:
        found = [
            (piece, at)
            for piece in self.new.pieces
            for at, line in enumerate(piece.body)
            if isinstance(line, Table) and piece.uid not in self.touched
        ]
        if not found:
            return False
        piece, at = self.random.choice(found)
        self.touched.add(piece.uid)
        old = piece.body[at]
        assert isinstance(old, Table)
        rows = [tuple(cell.text for cell in row) for row in old.rows]
        which = self.random.randrange(1, len(rows))
        rows[which] = (rows[which][0], f"{self.random.randint(100, 999)},000", rows[which][2])
        piece.body[at] = table(*rows)
        return True

    def supplement(self) -> bool:
        pieces = self.new.pieces
        end = next((at for at, each in enumerate(pieces) if each.kind == "annex"), len(pieces))
        pieces[end:end] = self.author.supplement(4, 2026)
        return True

    def annex(self) -> bool:
        annexes = [piece for piece in self.new.pieces if piece.kind == "annex"]
        in_force = [piece for piece in self.main() if not piece.is_deleted]
        if len(annexes) > 1 and self.random.random() < 0.5 and annexes[-1].uid not in self.touched:
            self.new.pieces.remove(annexes[-1])
        else:
            self.put(self.author.annex(len(annexes) + 1, in_force), self.new.pieces[-1])
            self.touched |= self.referred()
        return True

    def marks(self) -> bool:
        for piece in self.new.pieces:
            for line in piece.body:
                if (
                    isinstance(line, Line)
                    and piece.kind == "article"
                    and self.random.random() < 0.3
                ):
                    line.mark = self.random.choice(["<개정 2026. 3. 1.>", "[전문개정 2026. 3. 1.]"])
        return True

    def breaks(self) -> bool:
        """Nothing: the lines of the two papers differ by themselves."""
        return True

    def changes(self) -> set[Change]:
        """Return what `compare` is to name."""
        old_keys, new_keys = self.old.keyed(), self.new.keyed()
        old_words, new_words = self.old.words(), self.new.words()
        new = {piece.uid: piece for piece in self.new.pieces}
        was_deleted = {piece.uid for piece in self.old.pieces if piece.is_deleted}
        found = {(key, "removed") for uid, key in old_keys.items() if uid not in new_keys}
        for uid, key in new_keys.items():
            if uid not in old_keys:
                found.add((key, "added"))
            elif old_keys[uid] != key or uid in self.moved:
                found.add((key, "renumbered"))
            elif new[uid].is_deleted and uid not in was_deleted:
                found.add((key, "deleted"))
            elif old_words[uid] != new_words[uid]:
                found.add((key, "changed"))
        # An article in the place of a removed one is that article, changed.
        replaced = {key for key, kind in found if kind == "added" and (key, "removed") in found}
        found -= {(key, kind) for key in replaced for kind in ("added", "removed")}
        found |= {(key, "changed") for key in replaced}
        scopes = {key.rpartition("/")[0] for key, _ in found if key.startswith("부칙")}
        return {change for change in found if change[0] not in scopes}


ACTS: Final[list[Callable[[Revision], bool]]] = [
    *(Revision.word, Revision.digit, Revision.item, Revision.title, Revision.add_between),
    *(Revision.add_and_shift, Revision.remove_and_shift, Revision.remove, Revision.delete),
    *(Revision.delete_range, Revision.move, Revision.heading, Revision.chapter, Revision.cell),
    *(Revision.supplement, Revision.annex, Revision.marks, Revision.breaks),
]


def revision(seed: int) -> Revision:
    """Return a statute's revision of one to four acts."""
    author = Author(seed)
    return Revision(author, author.statute(), author.random.randint(1, 4))
