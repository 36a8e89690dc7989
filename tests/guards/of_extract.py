"""Guards of the text extractor."""

from typing import Final

from guard import Guard

GUARDS: Final = (
    Guard(
        "extract: a page number below one line of text is not text",
        "extract/readers/paragraphs.py",
        "_margins",
        "min(usual, widest)",
        "usual",
        "extract/test_page_margins.py::test_a_page_number_below_few_lines_is_no_text",
    ),
    Guard(
        "extract: a file of another format is no document",
        "extract/extract.py",
        "_judge",
        "format_ in formats and format_ in READABLE",
        "format_ in READABLE",
        "extract/test_extract.py::test_a_page_of_an_error_in_place_of_a_pdf_is_another_format",
    ),
    Guard(
        "extract: the reader has limits before it reads",
        "extract/child.py",
        "main",
        "_limit(limits)",
        "None",
        "extract/test_extract.py::TestChild::test_it_writes_no_file_and_opens_few",
    ),
    Guard(
        "extract: the reader gets nothing of our environment",
        "extract/extract.py",
        "_run",
        """
            {
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "LANG": "C.UTF-8",
                **environment,
            }
        """,
        "{**os.environ, 'PYTHONPATH': os.pathsep.join(filter(None, sys.path))}",
        "extract/test_extract.py::TestChild::test_it_has_nothing_of_our_environment",
    ),
    Guard(
        "extract: a reader that died has not answered",
        "extract/extract.py",
        "_answer",
        "raise _Killed(why.format(code=code, **asdict(limits)))",
        "pass",
        "extract/test_extract.py::TestChild::test_a_whole_answer_of_a_reader_that_died_is_none",
    ),
    Guard(
        "extract: a reader answers no more than it may",
        "extract/extract.py",
        "_answer",
        "len(out) > limits.output_bytes",
        "False",
        "extract/test_extract.py::TestChild::test_whatever_it_does_it_ends_and_is_told",
    ),
    Guard(
        "extract: a part of a zip is counted while it is unpacked",
        "extract/readers/package.py",
        "Package.part",
        "len(out) > most",
        "False",
        "extract/test_readers.py::TestHwpx::test_a_bomb_is_too_big",
    ),
    Guard(
        "extract: a memo of an HWPX is not published",
        "extract/readers/hancom/hwpx_text.py",
        "HwpxText._parts",
        "name not in _SILENT",
        "True",
        "extract/test_hwpx_text.py::TestUnseen::test_a_memo_is_no_text_and_cuts_no_sentence",
    ),
    Guard(
        "extract: the memos of an HWP are not published",
        "extract/readers/hancom/hwp_text.py",
        "HwpText._blocks",
        "child.tag == MEMO_LIST",
        "False",
        "extract/test_hwp_text.py::TestUnseen::test_the_memos_of_a_section_are_no_text",
    ),
    Guard(
        "extract: a table is measured before it is divided",
        "extract/readers/markdown.py",
        "tables",
        "_size(cells)",
        "None",
        "extract/test_hwpx_text.py::TestTables::test_rows_far_apart_are_too_big_in_pieces_too",
    ),
    Guard(
        "extract: a number that a style makes is short",
        "extract/readers/hancom/numbering.py",
        "_label",
        "label[:_LABEL]",
        "label",
        "extract/test_numbering.py::test_no_number_makes_a_long_label",
    ),
    Guard(
        "extract: a file is the one that its key names",
        "extract/service.py",
        "Extractor._file",
        "hashlib.sha256(stored.body).hexdigest() != request.key.removeprefix(PREFIX)",
        "False",
        "extract/test_extract_service.py::test_a_file_under_anothers_name_is_not_read",
    ),
    Guard(
        "extract: a mark that moves to another cell is a change",
        "extract/differences.py",
        "_change",
        "bool(old and new and has_table(old.text) and has_table(new.text))",
        "False",
        "extract/test_differences.py::test_what_moves_to_another_cell_is_a_change[a mark]",
    ),
    Guard(
        "extract: two numbers are not one",
        "extract/spelling.py",
        "squeezed",
        "_BETWEEN_NUMBERS.sub(GAP, text)",
        "text",
        "extract/test_differences.py::test_digits_that_move_in_a_table_of_a_pdf_are_a_change",
    ),
    Guard(
        "extract: a bracket that only begins like a mark of amendment is text",
        "extract/spelling.py",
        "",
        'rf"(?:{_PART}[,·;:.{GAP}]*+){{1,60}}"',
        'r"(?:개정|신설)[^<>]*"',
        "extract/test_differences.py::test_a_bracket_that_only_begins_like_a_mark_is_text",
    ),
    Guard(
        "extract: what a killed reader left is no result",
        "extract/service.py",
        "_is_final",
        'extraction.outcome != "killed"',
        "True",
        "extract/test_extract_service.py::"
        "test_a_killed_reader_is_tried_again_and_its_result_replaced",
    ),
    Guard(
        "extract: the fonts of the machine are not asked",
        "extract/readers/pdf.py",
        "read",
        "use_box_font()",
        "None",
        "extract/test_pdf_pages.py::TestFonts::test_a_machine_without_fonts_reads_the_same",
    ),
    Guard(
        "extract: a page number alone is no text",
        "extract/readers/pdf.py",
        "_sheet",
        "unread > _ILLEGIBLE * letters.count",
        "False",
        "extract/test_pdf_pages.py::TestChecks::"
        "test_one_letter_beside_lines_that_say_nothing_is_no_text",
    ),
    Guard(
        "extract: a letter left of the last one ends a piece",
        "extract/readers/pdf_letters.py",
        "_is_cut",
        "is_cut_back and place[0] < before[0] - _STEP_BACK * high",
        "False",
        "extract/test_pdf_pages.py::TestPlaces::"
        "test_letters_that_are_drawn_later_stand_in_their_place",
    ),
)
