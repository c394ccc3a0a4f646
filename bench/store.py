"""What the store costs: durable results beside the bare disk, a match's share of CPU, and growth.

A result is the end of a match: record, result of every seat and the ratings of all, in one
transaction. It is measured beside the least that any promise of durability costs: for SQLite as
many bytes appended to a file in the same folder with a wait for the disk, for PostgreSQL as many
bytes inserted as one row of a bare table, each in its own transaction, as pgbench would. What is
compared takes turns.

The share of CPU is that of all a match stores - its opening, its journal, its end - in the CPU that
a whole server takes for a match, bots excluded, as bench.referee measures it in the same run.
"""

import gc
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import psycopg
from bench import referee
from bench.history import FORMAT, SEATS_EACH, Sample, fill
from bench.measure import Figures, Goal, Run, Timed, alternate, machine, options, show, show_json
from sqlalchemy import Connection
from tests import postgresql

from paddock_server.store import ratings, results, store
from paddock_server.store.database import Database
from paddock_server.store.records import packed
from paddock_server.store.rows import EndRow, JournalRow, NewMatch

GROUP: Final = 100  # matches that end in one transaction
TABLES: Final = 8  # that journal a step in one transaction
AT_ONCE: Final = 8  # matches per bot, of the server whose CPU is compared
SHARE_WANTED: Final = 6.0
FLAT_WANTED: Final = 1.5
PAGE_WANTED: Final = 50.0
SMALL: Final = (1_000, 10)  # stored matches, bots
FULL: Final = 1_000_000
CROWD: Final = 1_000
_FEW: Final = 5  # repeats of what takes long


class Shop:
    """A database in which matches are begun and ended."""

    def __init__(self, named: str, bots: int = SEATS_EACH) -> None:
        self.named = named
        self.database = Database(named)
        self._numbers = count()
        self._samples = [
            Sample([f"bot-{(first + seat) % bots}" for seat in range(SEATS_EACH)])
            for first in range(0, bots, max(1, bots // 40))
        ]

    def begin(self, matches: int) -> list[tuple[int, Sample]]:
        """Matches that are about to end."""
        chosen = [self._samples[at % len(self._samples)] for at in range(matches)]
        new = [NewMatch(f"B{next(self._numbers)}", sample.plan, sample.begun) for sample in chosen]
        numbers = self.database.write(lambda connection: store.add_matches(connection, new))
        return list(zip(numbers, chosen, strict=True))

    def ends(self, group: int) -> Callable[[int], Run]:
        """Matches that end, so many in a transaction."""

        def work(rounds: int) -> Run:
            begun = self.begin(rounds * group)
            groups = [begun[at : at + group] for at in range(0, len(begun), group)]

            def run() -> int:
                for some in groups:
                    self.database.write(lambda connection, some=some: _end(connection, some))  # type: ignore[misc]
                return len(begun)

            return run

        return work

    def standings(self, rounds: int) -> Run:
        """A ladder's page, as a server reads it."""

        def run() -> int:
            for _ in range(rounds):
                self.database.look(ratings.standings, FORMAT)
            return rounds

        return run


def _end(connection: Connection, matches: Sequence[tuple[int, Sample]]) -> None:
    ends = [EndRow(number, sample.played, sample.results, rated=True) for number, sample in matches]
    results.finish_many(connection, ends)


def appends(folder: Path, size: int) -> Callable[[int], Run]:
    """As many bytes as a record has, on the disk one after the other."""
    data = os.urandom(size)

    def work(rounds: int) -> Run:
        def run() -> int:
            file = os.open(folder / "appended", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            try:
                for _ in range(rounds):
                    os.write(file, data)
                    os.fdatasync(file)
            finally:
                os.close(file)
            return rounds

        return run

    return work


def inserts(place: str, size: int) -> Callable[[int], Run]:
    """As many bytes as a record has, as rows of a bare table, each in its own transaction."""
    data = os.urandom(size)
    postgresql.tell(place, "CREATE TABLE bare (number BIGSERIAL PRIMARY KEY, data BYTEA)")
    connection = psycopg.connect(place, autocommit=True)

    def work(rounds: int) -> Run:
        def run() -> int:
            for _ in range(rounds):
                connection.execute("INSERT INTO bare (data) VALUES (%s)", (data,))
            return rounds

        return run

    return work


# --- durable results ------------------------------------------------------------------------


class Beside(NamedTuple):
    """What a kind of database is measured beside, and how many times as fast it is to be."""

    bare: str
    one_each: float
    grouped: float


BESIDE: Final = {
    "SQLite": Beside("append+fdatasync", 0.6, 4.0),
    "PostgreSQL": Beside("insert", 0.5, 2.0),
}


class Durable(NamedTuple):
    """Results a second, and what they are measured beside."""

    timed: Mapping[str, Timed]

    def ratio(self, name: str) -> float:
        """Beside the bare disk or the bare table, by repeat."""
        kind = name.partition(",")[0]
        bare = self.timed[BESIDE[kind].bare if kind in BESIDE else name]
        mine = self.timed[name]
        pairs = zip(
            zip(bare.units, bare.seconds, strict=True),
            zip(mine.units, mine.seconds, strict=True),
            strict=True,
        )
        return median([(u / s) / (bu / bs) for (bu, bs), (u, s) in pairs])

    def goals(self) -> list[Goal]:
        """What is to be reached."""
        return [
            Goal(f"{kind}, {how}: x {beside.bare}", self.ratio(f"{kind}, {how}"), wanted)
            for kind, beside in BESIDE.items()
            for how, wanted in (("one each", beside.one_each), ("grouped", beside.grouped))
            if f"{kind}, {how}" in self.timed
        ]

    def table(self) -> Figures:
        """For people."""
        rows = [
            (name, f"{t.rate.median:,.0f}", f"{t.rate.low:,.0f} - {t.rate.high:,.0f}",
             f"{self.ratio(name):.2f}")
            for name, t in self.timed.items()
        ]  # fmt: skip
        return Figures("Durable results", ("", "a second", "low - high", "x the bare one"), rows)


def durable(folder: Path, server: str | None, repeats: int, seconds: float) -> Durable:
    """Ends of matches beside the bare disk and the bare table."""
    with shops(folder / "durable.db", server) as open_shops:
        size = len(packed(Sample([f"bot-{seat}" for seat in range(SEATS_EACH)]).played))
        works = {"append+fdatasync": appends(folder, size)}
        for kind, shop in open_shops.items():
            if kind == "PostgreSQL":
                works["insert"] = inserts(shop.named, size)
            works[f"{kind}, one each"] = shop.ends(1)
            works[f"{kind}, grouped"] = shop.ends(GROUP)
        return Durable(alternate(works, repeats, seconds))


@contextmanager
def shops(file: Path, server: str | None) -> Iterator[dict[str, Shop]]:
    """A shop on every kind of database there is."""
    with ExitStack() as stack:
        places = {"SQLite": str(file)}
        if server:
            places["PostgreSQL"] = stack.enter_context(postgresql.database(server))
        made = {}
        for kind, place in places.items():
            made[kind] = Shop(place)
            stack.callback(made[kind].database.close)
        yield made


# --- a match's share ------------------------------------------------------------------------


class Share(NamedTuple):
    """Microseconds of CPU a match."""

    server: float  # of all a server does
    stored: float  # of that, what the store does
    decisions: int

    @property
    def percent(self) -> float:
        """Of the server's."""
        return 100 * self.stored / self.server

    def table(self) -> Figures:
        """For people."""
        head = ("", "CPU us a match", "%")
        rows = [
            ("a server, bots excluded", f"{self.server:,.0f}", "100"),
            ("rating and storage", f"{self.stored:,.0f}", f"{self.percent:.1f}"),
        ]
        title = f"A match of {self.decisions} decisions, {AT_ONCE} at once per bot"
        return Figures(title, head, rows)


def share(folder: Path, repeats: int, seconds: float) -> Share:
    """The CPU of a match, and of what is stored of it."""
    played = referee.played(repeats, seconds)
    micros = median([run.micros for run in played.runs["matches", AT_ONCE]])
    shop = Shop(str(folder / "share.db"))
    spent = []
    try:
        for _ in range(repeats):
            begun = shop.begin(10 * TABLES)
            gc.collect()
            before = time.process_time()
            for at in range(0, len(begun), TABLES):
                _store_whole(shop.database, begun[at : at + TABLES])
            spent.append((time.process_time() - before) / len(begun))
    finally:
        shop.database.close()
    decisions = begun[0][1].decisions
    return Share(micros * decisions, 1e6 * median(spent), decisions)


def _store_whole(database: Database, matches: Sequence[tuple[int, Sample]]) -> None:
    """All that is stored of matches that are played side by side."""

    def open_all(connection: Connection) -> None:
        for number, sample in matches:
            store.open_match(connection, number, sample.plan, sample.begun)

    database.write(open_all, sync=False)
    for position in range(len(matches[0][1].events)):
        events = [
            JournalRow(number, position, sample.events[position]) for number, sample in matches
        ]
        database.write(lambda connection, some=events: store.append(connection, some), sync=False)  # type: ignore[misc]
    database.write(lambda connection: _end(connection, matches))


# --- growth ---------------------------------------------------------------------------------


class Grown(NamedTuple):
    """Microseconds to end a match and milliseconds a page of standings, by size."""

    kind: str
    ends: Mapping[tuple[int, int], float]
    pages: Mapping[tuple[int, int], float]

    def goals(self) -> list[Goal]:
        """What is to be reached."""
        few, crowd, full = self.ends
        return [
            Goal(f"{self.kind}: end of a match, {crowd[1]:,} bots: x that of {few[1]}",
                 self.ends[crowd] / self.ends[few], FLAT_WANTED, at_least=False),
            Goal(f"{self.kind}: end of a match, {full[0]:,} stored: x that of {crowd[0]:,}",
                 self.ends[full] / self.ends[crowd], FLAT_WANTED, at_least=False),
            Goal(f"{self.kind}: ms for {full[1]:,} bots' standings, {full[0]:,} stored",
                 self.pages[full], PAGE_WANTED, at_least=False),
        ]  # fmt: skip

    def table(self) -> Figures:
        """For people."""
        rows = [
            (f"{matches:,} matches, {bots:,} bots", f"{self.ends[matches, bots]:,.0f}",
             f"{self.pages[matches, bots]:.2f}")
            for matches, bots in self.ends
        ]  # fmt: skip
        head = ("", "us a match", "ms a page")
        return Figures(f"Growth, {self.kind}, {GROUP} matches a transaction", head, rows)


def grown(kind: str, places: Iterator[str], most: int, repeats: int, seconds: float) -> Grown:
    """Databases of every size, in turn."""
    sizes = [SMALL, (SMALL[0], CROWD), (most, CROWD)]
    made: dict[tuple[int, int], Shop] = {}
    try:
        for size in sizes:
            place = next(places)
            fill(place, *size)
            made[size] = Shop(place, size[1])
        ends = alternate({size: shop.ends(GROUP) for size, shop in made.items()}, repeats, seconds)
        pages = alternate(
            {size: shop.standings for size, shop in made.items()}, repeats, seconds / 2
        )
    finally:
        for shop in made.values():
            shop.database.close()
    return Grown(
        kind,
        {size: 1e6 / timed.rate.median for size, timed in ends.items()},
        {size: 1e3 / timed.rate.median for size, timed in pages.items()},
    )


def main() -> None:
    """Measure and show."""
    chosen = options("store", "What the store costs, beside the bare disk.")
    repeats = min(chosen.repeats, 7) if chosen.quick else chosen.repeats
    seconds, most = (0.1, FULL // 50) if chosen.quick else (0.3, FULL)
    where: dict[str, Any] = {**machine(), "repeats": repeats}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="paddock-bench-")))
        server = None
        if postgresql.at_hand():
            server = stack.enter_context(postgresql.serving(durable=True))
        found = durable(folder, server, repeats, seconds)
        part = share(folder, _FEW, 0.3 if chosen.quick else 0.5)
        files = (str(folder / f"grown-{number}.db") for number in count())
        growth = [grown("SQLite", files, most, min(repeats, 2 * _FEW), seconds)]
        if server:
            new = (stack.enter_context(postgresql.database(server)) for _ in count())
            growth.append(grown("PostgreSQL", new, most // 10, _FEW, seconds))
    where["load after"] = [round(load, 2) for load in os.getloadavg()]
    goals = found.goals()
    goals.append(Goal("rating and storage: % of a match's CPU", part.percent, SHARE_WANTED, False))
    goals += [goal for each in growth for goal in each.goals()]
    if chosen.json:
        facts = {
            "durable": {name: timed._asdict() for name, timed in found.timed.items()},
            "share": part._asdict(),
            "growth": [
                {"kind": each.kind, "matches": matches, "bots": bots,
                 "us_a_match": each.ends[matches, bots], "ms_a_page": each.pages[matches, bots]}
                for each in growth for matches, bots in each.ends
            ],
        }  # fmt: skip
        show_json({"benchmark": "store", "machine": where, **facts}, goals)
        return
    heading = (
        f"{where['cores']} cores, {where['system']}, {where['python']}, "
        f"load before {where['load']} and after {where['load after']}, "
        f"medians of {repeats} repeats"
    )
    show(heading, [found.table(), part.table(), *[each.table() for each in growth]], goals)


if __name__ == "__main__":
    main()
