"""What a bot answers is read as it was meant, and the reason of a fallback made fit to keep."""

from hypothesis import given
from hypothesis import strategies as st

from paddock.v1 import arena_pb2
from paddock_server.referee.answers import MALFORMED, Fallback
from paddock_server.wire.answers import clean_reason, read_answer

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.integers(0, 2**32 - 1))
def test_without_a_reason_the_answer_counts(number: int) -> None:
    assert read_answer(arena_pb2.Choice(ask_id=1, number=number)) == number
    assert read_answer(arena_pb2.Choice(ask_id=1)) is MALFORMED


ANSWERS = [arena_pb2.Choice(), arena_pb2.Choice(number=0), arena_pb2.Choice(number=2**32 - 1)]


@given(ANY_TEXT.filter(bool), st.sampled_from(ANSWERS))
def test_with_a_reason_it_is_a_fallback_whatever_the_answer(
    reason: str, answer: arena_pb2.Choice
) -> None:
    message = arena_pb2.Choice(ask_id=1, fallback=reason)
    message.MergeFrom(answer)
    assert read_answer(message) == Fallback(clean_reason(reason))


@given(ANY_TEXT)
def test_a_reason_is_short_printable_and_never_empty(reason: str) -> None:
    kept = clean_reason(reason)
    assert 0 < len(kept) <= 200
    assert kept.isprintable()
    assert kept == kept.strip()
    assert clean_reason(kept) == kept


def test_lines_become_spaces_and_nothing_becomes_a_word() -> None:
    assert clean_reason("KeyError:\n\t'pen'\x1b[2J\x00") == "KeyError: 'pen' [2J"
    assert clean_reason("x" * 300) == "x" * 200
    assert clean_reason("\n") == "no reason given"
