"""The codec of Draftosaurus: names -> encoding, decoding, lines."""

from paddock_wire.draftosaurus.decoding import read_choice, read_rules, read_scores, read_view
from paddock_wire.draftosaurus.encoding import choice, choices, rules, scores, table, view, watched
from paddock_wire.draftosaurus.lines import choice_json, read_choice_json, read_view_json, view_json

__all__ = [
    "choice",
    "choice_json",
    "choices",
    "read_choice",
    "read_choice_json",
    "read_rules",
    "read_scores",
    "read_view",
    "read_view_json",
    "rules",
    "scores",
    "table",
    "view",
    "view_json",
    "watched",
]
