"""Guards of conditional requests to domains, and of their new URLs."""

from typing import Final

from guard import Guard

_WATCH: Final = "seeds/watch/test_watch_conditional.py"
_REPORTS: Final = "seeds/watch/test_conditional_reports.py"
_AGAIN: Final = "seeds/known/test_recollections.py"
_URLS: Final = "seeds/known/test_new_urls.py"
_COMPARED: Final = "seeds/known/test_compared_partitions.py"

GUARDS: Final = (
    Guard(
        "known: a 304 of another page is none of this one",
        "seeds/collect/visit.py",
        "DomainVisit._known_or_whole",
        "asked.known.confirms(response)",
        "True",
        f"{_WATCH}::test_a_304_of_another_validator_is_asked_again_for_the_whole",
    ),
    Guard(
        "known: no validator is believed for ever",
        "seeds/watch/kept.py",
        "known_files",
        "not _is_fresh(each, now, interval)",
        "False",
        f"{_REPORTS}::test_a_date_in_the_future_as_validator_hides_a_change_for_a_week_at_most",
    ),
    Guard(
        "known: validators that lied are not sent again",
        "seeds/known/files.py",
        "KnownFiles.learn",
        "before.is_false or not file.is_as(before)",
        "False",
        f"{_WATCH}::test_a_server_that_always_says_304_is_found_out_and_never_asked_so_again",
    ),
    Guard(
        "known: a second look believes no date",
        "seeds/watch/kept.py",
        "known_files",
        "each.file in doubtful",
        "False",
        f"{_WATCH}::test_a_second_look_trusts_no_date",
    ),
    Guard(
        "known: the last good answer outlives a look without one",
        "seeds/watch/kept.py",
        "kept_files",
        "now - parse_timestamp(each.at) < _LONGEST",
        "False",
        f"{_WATCH}::test_a_304_for_the_last_good_answer_after_a_404_says_that_it_is_back",
    ),
    Guard(
        "known: a collection of another partition is taken only if it names all that is new",
        "seeds/known/recollection.py",
        "Recollection.covers",
        "urls.hashes - earlier <= urls.new.keys()",
        "True",
        f"{_COMPARED}::test_partitions_with_other_urls_before_share_nothing_that_lacks_them",
    ),
    Guard(
        "known: what was named with its mark is not named again",
        "seeds/known/recollection.py",
        "Recollection.write_new_urls",
        "count or (named and not is_waiting)",
        "count",
        f"{_COMPARED}::test_what_was_named_is_not_named_again_after_a_collection_without_news",
    ),
    Guard(
        "known: validators are sent only with the file that they belong to",
        "seeds/known/recollection.py",
        "Recollection._known",
        "hashlib.sha256(body).hexdigest() != part.digest",
        "False",
        f"{_AGAIN}::test_validators_without_the_file_that_they_belong_to_are_not_sent",
    ),
    Guard(
        "known: evidence of another date is written for this one, too",
        "seeds/known/recollection.py",
        "Recollection.keeps",
        "self._place == self._folder",
        "True",
        f"{_AGAIN}::"
        "test_a_later_date_asks_by_the_validators_of_the_earlier_one_and_has_all_evidence",
    ),
    Guard(
        "known: the difference of a try that died is added to the next one",
        "seeds/known/recollection.py",
        "Recollection.write_new_urls",
        "epoch != self._marked",
        "False",
        f"{_URLS}::test_a_death_at_any_write_loses_no_new_url",
    ),
    Guard(
        "known: a marked difference is not repeated",
        "seeds/known/recollection.py",
        "Recollection.write_new_urls",
        "epoch != self._marked",
        "True",
        f"{_URLS}::test_a_marked_difference_is_named_once",
    ),
    Guard(
        "known: the new URLs of a domain are bounded",
        "seeds/known/urls.py",
        "SitemapUrls.add",
        "len(self.hashes) >= MOST_URLS",
        "False",
        f"{_URLS}::test_the_number_and_length_of_urls_are_bounded",
    ),
)
