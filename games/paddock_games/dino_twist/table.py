"""The open table: all that every seat may see, and what each seat may do."""

from collections.abc import Sequence
from typing import NamedTuple

from paddock_games.dino_twist import hand
from paddock_games.dino_twist.attack import targets
from paddock_games.dino_twist.card import CARDS, NOT_BABIES, pack
from paddock_games.dino_twist.choice import NO_ATTACK, Choice, of
from paddock_games.dino_twist.choices import Choices
from paddock_games.dino_twist.event import BURIAL, DISCARD, Event
from paddock_games.dino_twist.island import Island, stronger
from paddock_games.dino_twist.material import HOME, SPECIES, TERRITORIES
from paddock_games.dino_twist.scoring import Graveyard, Score, scores
from paddock_games.dino_twist.setting import Phase, Setting


class Table(NamedTuple):
    """The open part of a state; nothing hidden is in it."""

    setting: Setting
    round: int  # from 0
    events: tuple[int, ...]  # all that have shown; the last one is the one that shows
    event: Event  # the one that applies
    phase: Phase
    asked: tuple[int, ...]  # the seats that decide now
    twist: Island
    islands: tuple[Island, ...]
    graveyards: tuple[Graveyard, ...]
    bonuses: tuple[int, ...]  # T15, by seat
    discards: int  # face up on the discard pile, packed
    face_down: tuple[int, ...]  # by seat: how many it discarded face down (NEW_GENERATIONS)
    hand_sizes: tuple[int, ...]
    plays: tuple[Choice | None, ...]  # what was revealed this round, by seat; else empty
    waiting: tuple[tuple[int, ...], ...]  # seats still to act, those of equal strength together

    @property
    def in_play(self) -> int:
        """The revealed cards whose turn is still to come, packed."""
        counts = 0
        for group in self.waiting if self.phase == "ATTACK" else ():
            for seat in group:
                play = self.plays[seat]
                if play is not None:
                    counts += play.packed
        return counts

    @property
    def seen(self) -> int:
        """All cards of the box that lie open, packed."""
        counts = self.discards + self.in_play + pack(self.twist)
        for island in self.islands:
            counts += pack([code for code in island if code >= 0])
        for graveyard in self.graveyards:
            counts += pack([code for entry in graveyard for code in entry])
        return counts if self.setting.rules.babies_reshuffled else counts & NOT_BABIES

    @property
    def pile_size(self) -> int:
        """How many cards are left to draw before the discard pile is shuffled."""
        hidden = self.setting.box - self.seen
        return _size(hidden) - sum(self.hand_sizes) - sum(self.face_down)

    def scores(self) -> tuple[Score, ...]:
        """Everybody's points as the table stands."""
        return scores(self.islands, self.graveyards, self.bonuses, self.setting.rules)

    def legal(self, seat: int, held: tuple[int, ...]) -> Sequence[Choice]:
        """What the seat may choose with this hand: fewer cards first, burying last; territory by
        territory, discarding what was beaten after settling it."""
        if seat not in self.asked:
            return ()
        phase = self.phase
        if phase == "ATTACK":
            return self.attacking(seat)
        if phase == "DISCARD":
            return Choices(held, DISCARD)
        shapes = self.event.shapes
        choices = Choices(held, shapes | BURIAL if self.may_bury(seat) else shapes)
        if not self.setting.named:
            return choices
        return tuple([one for choice in choices for one in self._named(choice)])

    def _named(self, play: Choice) -> list[Choice]:
        """B6: the play with each territory it can attack; with none where it can't, or need not."""
        if play.kind != "PLAY":
            return [play]
        possible = targets(play, self.event, self.twist, named=False)
        named = [of("PLAY", play.codes, play.which, territory) for territory in possible]
        return [*named, play] if not possible or self.setting.rules.attack_may_be_waived else named

    def may_bury(self, seat: int) -> bool:
        """T13: whether the seat has a Dino that is strong enough."""
        setting = self.setting
        return seat in stronger(self.islands, self.twist, setting.small, setting.by_territory)

    def targets(self, play: Choice) -> tuple[int, ...]:
        """T10: the territories that a play may attack; the one it names, where it has to (B6)."""
        return targets(play, self.event, self.twist, self.setting.rules.attack_with_play)

    def attacks(self, seat: int, play: Choice) -> tuple[Choice, ...]:
        """T10, T11: the seat's attacks with this play, each with where the beaten Dino settles."""
        setting = self.setting
        ways = setting.attacks(seat, play, self.event, self.twist, self.islands[seat])
        return ways[:-1] if setting.waivable else ways

    def attacking(self, seat: int) -> tuple[Choice, ...]:
        """What the seat may choose when its play acts: those attacks, or none (B8)."""
        play = self.plays[seat]
        choices = () if play is None else self.attacks(seat, play)
        return (*choices, NO_ATTACK) if self.setting.waivable else choices

    def default(self, seat: int, held: tuple[int, ...]) -> Choice:
        """The default choice of a seat: the first legal choice."""
        return self.legal(seat, held)[0]

    def why_not(self, seat: int, held: tuple[int, ...], choice: object) -> str:
        """Why this choice is not legal, in a sentence; empty when it is."""
        if seat not in self.asked:
            return "it has nothing to decide now"
        if choice in self.legal(seat, held):
            return ""
        if not isinstance(choice, Choice):
            return f"{choice!r} is not a choice of this game"
        asked = ("PLAY", "BURY") if self.phase == "PLAY" else (self.phase,)
        if choice.kind not in asked:
            return f"{choice} is not what is asked; it is time to {' or '.join(asked)}"
        if self.phase == "ATTACK":
            return self._why_no_attack(seat, choice)
        try:
            hand.less(held, choice.codes)
        except ValueError:
            mine = ", ".join(str(CARDS[code]) for code in held)
            return f"{choice}: not all of its cards are in the hand ({mine})"
        if choice.face_down:
            return f"{choice}: name the cards"
        if choice.kind == "BURY":
            return f"burying needs a Dino stronger than {self._compared(seat)} (T13, B10)"
        if not choice.shape & self.event.shapes:
            return f"{choice}: these cards can't be played together under {self.event}"
        if not self.setting.rules.attack_with_play:
            return f"{choice}: the territory is named when the play acts (B6)"
        return (
            f"{choice}: name a territory that the play can attack; if there is none, name none (B6)"
        )

    def _compared(self, seat: int) -> str:
        if self.setting.rules.bury_by_territory and not self.setting.small[seat]:
            return "Twist Island's on its territory"
        return "one of its species on Twist Island"

    def _why_no_attack(self, seat: int, choice: Choice) -> str:
        play = self.plays[seat]
        targets = self.targets(play) if play is not None else ()
        if choice.at < 0:
            return "an attack that is possible has to be made (B8)"
        if choice.at not in targets:
            could = ", ".join(TERRITORIES[territory] for territory in targets)
            return f"{choice.territory} can't be attacked by {play}; possible: {could}"
        if choice.to < 0:
            always = self.setting.rules.must_settle
            when = "" if always else " while a territory that it may settle on is empty"
            return f"the beaten Dino has to settle{when} (B8)"
        home = SPECIES[HOME[choice.at]]
        return f"a {home} from {choice.territory} may not settle in {choice.settle} (T11)"


def _size(counts: int) -> int:
    """How many cards a packed number counts."""
    odd = counts & _LOW
    return odd.bit_count() + 2 * (counts >> 1 & _LOW).bit_count()


_LOW = sum(1 << 2 * code for code in range(len(CARDS)))
