"""Guards of what is kept between two connections: TLS sessions and DNS answers."""

from typing import Final

from guard import Guard

GUARDS: Final = (
    Guard(
        "fetch: a TLS session is offered to the port that gave it",
        "fetch/tls.py",
        "Sessions._known",
        "kept = self._kept.get(key)",
        """
            key = next((known for known in self._kept if known[:2] == key[:2]), key)
            kept = self._kept.get(key)
        """,
        "fetch/test_fetch_sessions.py::test_a_session_is_of_one_port",
    ),
    Guard(
        "fetch: a TLS session is offered to the host that gave it",
        "fetch/tls.py",
        "Sessions._known",
        "kept = self._kept.get(key)",
        """
            key = next((known for known in self._kept if known[::2] == key[::2]), key)
            kept = self._kept.get(key)
        """,
        "fetch/test_fetch_sessions.py::test_a_session_is_of_one_name",
    ),
    Guard(
        "fetch: a certificate is shown again in time",
        "fetch/tls.py",
        "Sessions._known",
        "self._monotonic() > kept.until",
        "False",
        "fetch/test_fetch_sessions.py::test_a_certificate_is_shown_again_in_time",
    ),
    Guard(
        "fetch: a resumed TLS session grows no younger",
        "fetch/tls.py",
        "Sessions.keep",
        "kept = offered",
        "kept = self._begun(offered.session)",
        "fetch/test_fetch_sessions.py::test_a_certificate_is_shown_again_in_time",
    ),
    Guard(
        "fetch: no server says how long a TLS session is resumed",
        "fetch/tls.py",
        "Sessions._begun",
        "min(session.ticket_lifetime_hint or _RESUMED_SECONDS, _RESUMED_SECONDS)",
        "session.ticket_lifetime_hint or _RESUMED_SECONDS",
        "fetch/test_fetch_sessions.py::test_a_session_that_the_server_lets_end_is_not_offered",
    ),
    Guard(
        "fetch: TLS sessions are bounded in number",
        "fetch/tls.py",
        "Sessions.keep",
        "len(self._kept) > self._most",
        "False",
        "fetch/test_fetch_sessions.py::test_the_sessions_that_were_not_used_for_longest_go",
    ),
    Guard(
        "fetch: a server that chokes on a TLS session is asked without one",
        "fetch/wire.py",
        "GuardedConnection._secure",
        "not _is_choked(failure)",
        "True",
        "fetch/test_fetch_sessions.py::test_a_server_that_chokes_on_a_session_is_asked_without_one",
    ),
    Guard(
        "fetch: old chains are read by every Python",
        "fetch/tls.py",
        "tls_context",
        """
            context.verify_flags &= ~(
                ssl.VerifyFlags.VERIFY_X509_STRICT | ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
            )
        """,
        "pass",
        "fetch/test_fetch_tls.py::test_an_old_chain_is_read_by_every_python",
    ),
    Guard(
        "fetch: a DNS answer is kept for a minute",
        "fetch/resolve.py",
        "KeptAnswers._fresh",
        "self._monotonic() - asked_at <= _KEPT_SECONDS",
        "True",
        "fetch/test_fetch_resolve.py::"
        "test_a_name_that_turns_inward_is_refused_when_it_is_asked_for_again",
    ),
    Guard(
        "fetch: DNS answers are bounded in number",
        "fetch/resolve.py",
        "KeptAnswers._ask",
        "len(self._kept) > _MOST_NAMES",
        "False",
        "fetch/test_fetch_resolve.py::test_a_flood_of_names_is_not_kept",
    ),
    Guard(
        "fetch: a flood of addresses is not kept",
        "fetch/resolve.py",
        "KeptAnswers._ask",
        "answers and len(answers) <= _MOST_ADDRESSES",
        "answers",
        "fetch/test_fetch_resolve.py::test_a_flood_of_addresses_is_not_kept",
    ),
    Guard(
        "fetch: an address that takes no connection is asked for anew",
        "fetch/http.py",
        "Fetcher._exchange",
        "self._names.forget(target.host, target.port)",
        "pass",
        "fetch/test_fetch_resolve.py::test_a_site_that_moved_is_found_by_the_next_check",
    ),
)
