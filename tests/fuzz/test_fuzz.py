"""Readers of bytes from strangers refuse what is wrong in one way, and never fail in another."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.__main__ import TARGETS as COMMAND_TARGETS
from tests.fuzz.targets import TARGETS, Target, survives


@st.composite
def mutated(draw: st.DrawFn, seed: bytes) -> bytes:
    """A valid input with some places changed, cut out or repeated."""
    data = bytearray(seed)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 12)))
        data[at:end] = draw(
            st.binary(max_size=6)
            | st.just(bytes(data[at:end]) * 2)
            | st.just(b"\xff\xff\xff\xff\x7f")
        )
    return bytes(data)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@settings(max_examples=150)
@given(data=st.data())
def test_a_reader_refuses_or_reads(target: Target, data: st.DataObject) -> None:
    seed = data.draw(st.sampled_from(target.seeds))
    survives(target, data.draw(st.binary(max_size=300) | mutated(seed)))


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_the_seeds_are_valid(target: Target) -> None:
    for seed in target.seeds:
        target.read(seed)


def test_the_command_knows_every_target() -> None:
    assert set(COMMAND_TARGETS) == set(TARGETS)
