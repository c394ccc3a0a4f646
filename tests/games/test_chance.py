"""Chance is what the match record's document says, number by number, and can't be steered."""

import hashlib
import hmac
import pickle
from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_games import Chance, GamesError, commitment
from paddock_games.chance import NO_NONCE, NONCE_BYTES, SEED_BYTES, Cursor

seeds = st.binary(min_size=32, max_size=32)
nonces = st.lists(st.binary(min_size=16, max_size=16), max_size=5)


class Stream:
    """The document's bytes, taken one by one: slow, plain and written from the text alone."""

    def __init__(self, seed: bytes, nonces: list[bytes]) -> None:
        self.seed, self.nonces = seed, nonces
        self.bytes = b""
        self.i = 0

    def word(self) -> int:
        """The next four bytes as a big-endian number."""
        if not self.bytes:
            message = b"paddock-deal-1"
            for nonce in self.nonces:
                message += nonce
            message += self.i.to_bytes(8, "big")
            self.bytes = hmac.new(self.seed, message, hashlib.sha256).digest()
            self.i += 1
        word, self.bytes = self.bytes[:4], self.bytes[4:]
        return word[0] * 256**3 + word[1] * 256**2 + word[2] * 256 + word[3]

    def below(self, n: int) -> int:
        """A number from 0 to n-1; words from the uneven end are thrown away."""
        u = self.word()
        while u >= 2**32 - (2**32 % n):
            u = self.word()
        return u % n


@settings(max_examples=100, deadline=None)
@given(seed=seeds, nonces=nonces, sizes=st.lists(st.integers(1, 2**32), max_size=40))
def test_numbers_are_the_documents(seed: bytes, nonces: list[bytes], sizes: list[int]) -> None:
    chance, stream = Chance(seed, nonces), Stream(seed, nonces)
    assert [chance.below(n) for n in sizes] == [stream.below(n) for n in sizes]


@settings(max_examples=100, deadline=None)
@given(seed=seeds, nonces=nonces, size=st.integers(0, 60))
def test_shuffles_are_the_documents(seed: bytes, nonces: list[bytes], size: int) -> None:
    chance, stream = Chance(seed, nonces), Stream(seed, nonces)
    found, expected = list(range(size)), list(range(size))
    chance.shuffle(found)
    for k in range(size - 1, 0, -1):
        other = stream.below(k + 1)
        expected[k], expected[other] = expected[other], expected[k]
    assert found == expected
    assert sorted(found) == list(range(size))
    assert chance.below(1000) == stream.below(1000)  # and no draw more was used


@pytest.mark.parametrize("at", range(6))
def test_a_shuffle_throws_away_words_from_the_uneven_end(at: int) -> None:
    """No seed is known that has such a word, so it is put in front of the stream."""
    words = [*range(100, 100 + at), 2**32 - 1, *range(200, 210)]
    chance, stream = Chance(bytes(32), []), Stream(bytes(32), [])
    chance._words = words[::-1]
    stream.bytes = b"".join(word.to_bytes(4, "big") for word in words)
    found, expected = list(range(7)), list(range(7))
    chance.shuffle(found)
    for k in range(6, 0, -1):
        other = stream.below(k + 1)
        expected[k], expected[other] = expected[other], expected[k]
    assert found == expected
    assert chance.below(1000) == stream.below(1000)


def test_a_known_answer() -> None:
    """Two blocks as `openssl dgst -sha256 -mac HMAC` gives them."""
    chance = Chance(bytes(range(32)), [b"\x01" * 16, NO_NONCE])
    words = [chance.below(2**32) for _ in range(16)]
    assert b"".join(word.to_bytes(4, "big") for word in words).hex() == (
        "09bad68d1132811104e089588ad0b8164d66b70d9ac4304d8422e16df70db0dc"
        "deaf260fdd1db164cd5310a1f5ec938154b46188a3478f69c35bcd8d84639fca"
    )


@pytest.mark.parametrize("n", [2**31 + 1, 3 * 2**30 + 1, 2**32 - 1])
def test_words_from_the_uneven_end_are_thrown_away(n: int) -> None:
    """With n just above half the range, nearly every other word has to go."""
    seed = bytes(32)
    stream, chance = Stream(seed, []), Chance(seed, [])
    words = [stream.word() for _ in range(400)]
    used = [word for word in words if word < n]  # n is more than half: only one multiple fits
    assert [chance.below(n) for _ in used] == used
    if n == 2**31 + 1:
        assert 150 < len(used) < 250


@settings(max_examples=50, deadline=None)
@given(seed=seeds)
def test_the_edge_is_where_the_document_says(seed: bytes) -> None:
    """A word of n-1 is the last that is taken and one of n the first that is not, n being large."""
    stream = Stream(seed, [])
    words = [stream.word() for _ in range(64)]
    at = next(at for at, word in enumerate(words) if word > 2**31)
    for n, expected in (
        (words[at] + 1, words[at]),
        (words[at], next(word for word in words[at + 1 :] if word < words[at])),
    ):
        chance = Chance(seed, [])
        assert [chance.below(2**32) for _ in range(at)] == words[:at]
        assert chance.below(n) == expected


@pytest.mark.parametrize("n", [1, 2, 2**16, 2**31, 2**32])
def test_powers_of_two_throw_nothing_away(n: int) -> None:
    stream, chance = Stream(b"x" * 32, []), Chance(b"x" * 32, [])
    words = [stream.word() for _ in range(100)]
    assert [chance.below(n) for _ in words] == [word % n for word in words]


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_there_is_no_number_below_what_four_bytes_can_not_give(n: int) -> None:
    with pytest.raises(GamesError, match=r"^n: "):
        Chance(bytes(32), []).below(n)


def test_every_face_and_every_order_comes_up() -> None:
    """Not a proof of fairness, but off by one would show."""
    chance = Chance(b"fair" * 8, [])
    rolls = Counter(chance.below(6) for _ in range(6000))
    assert set(rolls) == set(range(6))
    assert min(rolls.values()) > 850
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(2400):
        items = [0, 1, 2, 3]
        chance.shuffle(items)
        orders[tuple(items)] += 1
    assert set(orders) == set(permutations(range(4)))
    assert min(orders.values()) > 50


@pytest.mark.parametrize("length", [0, 1, 31, 33, 64])
def test_a_seed_of_the_wrong_length_is_refused(length: int) -> None:
    with pytest.raises(GamesError, match=rf"^seed: must have 32 bytes, not {length}$"):
        Chance(bytes(length), [])


@pytest.mark.parametrize("length", [0, 1, 15, 17, 32])
def test_a_nonce_of_the_wrong_length_is_refused(length: int) -> None:
    with pytest.raises(GamesError, match=rf"^nonces\[1\]: must have 16 bytes, not {length}$"):
        Chance(bytes(32), [NO_NONCE, bytes(length)])


def test_every_bit_of_seed_and_nonces_matters() -> None:
    chooser = Random(5)
    seed, nonces = chooser.randbytes(32), [chooser.randbytes(16) for _ in range(3)]
    drawn = {Chance(seed, nonces).below(2**32)}
    for at in range(len(seed)):
        changed = bytes(byte ^ (i == at) for i, byte in enumerate(seed))
        drawn.add(Chance(changed, nonces).below(2**32))
    for seat in range(3):
        for at in range(16):
            changed = bytes(byte ^ (i == at) for i, byte in enumerate(nonces[seat]))
            mixed = [changed if s == seat else nonce for s, nonce in enumerate(nonces)]
            drawn.add(Chance(seed, mixed).below(2**32))
    drawn.add(Chance(seed, nonces[::-1]).below(2**32))
    drawn.add(Chance(seed, nonces[:2]).below(2**32))
    assert len(drawn) == 1 + 32 + 48 + 2


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert (32, 16, bytes(16)) == (SEED_BYTES, NONCE_BYTES, NO_NONCE)
    empty = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    assert commitment(bytes(32)) == empty  # SHA-256 of 32 zero bytes
    seed = bytes(range(32))
    assert commitment(seed) == hashlib.sha256(seed).hexdigest()


@settings(max_examples=100, deadline=None)
@given(seed=seeds, nonces=nonces, used=st.integers(0, 60), then=st.integers(0, 40))
def test_a_cursor_goes_on_where_it_was_taken(
    seed: bytes, nonces: list[bytes], used: int, then: int
) -> None:
    chance = Chance(seed, nonces)
    for _ in range(used):
        chance.below(2**32)
    cursor = chance.cursor
    assert cursor == Cursor(seed, tuple(nonces), used)
    assert hash(cursor) == hash(pickle.loads(pickle.dumps(cursor)))  # noqa: S301
    expected = [chance.below(1000) for _ in range(then)]
    for _ in range(2):  # it is a value: using it changes nothing
        again = cursor.chance
        assert again.cursor == cursor
        assert [again.below(1000) for _ in range(then)] == expected
        assert again.cursor == chance.cursor
