"""Our end of a connection against another implementation of HTTP/2, the package h2."""

import h2.config
import h2.connection
import h2.events
import h2.settings
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_server.http2.fields import Fields, field_block
from paddock_server.http2.frames import ErrorCode
from paddock_server.http2.stream import Stream
from tests.http2.wire import Keeper, Talk, in_loop

FIELDS = [
    (":method", "POST"),
    (":scheme", "http"),
    (":path", "/a/b"),
    (":authority", "a"),
    ("x", "v" * 300),
]


class Echo(Keeper):
    """A receiver that sends everything back, and ends when the client does."""

    def __init__(self, stream: Stream, fields: Fields) -> None:
        super().__init__(stream, fields)
        stream.begin(field_block(((":status", "200"), ("x-long", "w" * 20_000))))

    def received(self, data: bytes) -> None:
        """Send it back."""
        super().received(data)
        self.stream.send(data)

    def finished(self) -> None:
        """End."""
        super().finished()
        self.stream.finish(field_block((("done", "yes"),)))


class Client:
    """A client of the package h2 that checks all that it gets, and reads at its own pace."""

    def __init__(self) -> None:
        self.talk = Talk(Echo)
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
        self.h2.initiate_connection()
        self.sent: dict[int, bytearray] = {}
        self.to_send: dict[int, bytearray] = {}
        self.got: dict[int, bytearray] = {}
        self.unread: list[tuple[int, int]] = []
        self.ended: dict[int, bool] = {}  # whether with the last fields
        self.finished: set[int] = set()
        self.pings = 0

    def exchange(self, cut: int) -> None:
        """Let both ends hear each other, in pieces of this size, until nothing is new."""
        while True:
            out = self.h2.data_to_send()
            for at in range(0, len(out), cut):
                self.talk.say(out[at : at + cut])
            back = self.talk.wire.take()
            if not out and not back:
                return
            for event in self.h2.receive_data(back):
                self._hear(event)

    def _hear(self, event: h2.events.Event) -> None:
        if isinstance(event, h2.events.DataReceived):
            assert event.stream_id is not None
            self.got[event.stream_id] += event.data or b""
            self.unread.append((event.stream_id, event.flow_controlled_length or 0))
        elif isinstance(event, h2.events.TrailersReceived):
            assert event.stream_id is not None
            assert next(iter(event.headers or ())) == (b"done", b"yes")
            self.ended[event.stream_id] = True
        elif isinstance(event, h2.events.StreamReset):
            assert event.error_code == ErrorCode.NO_ERROR, "reset by the server"
        elif isinstance(event, h2.events.PingAckReceived):
            self.pings -= 1
        elif isinstance(event, h2.events.ConnectionTerminated):
            assert event.additional_data is None, event.additional_data

    def open(self) -> None:
        """Open a stream."""
        stream = self.h2.get_next_available_stream_id()
        self.h2.send_headers(stream, FIELDS)
        self.sent[stream], self.to_send[stream] = bytearray(), bytearray()
        self.got[stream] = bytearray()

    def push(self) -> None:
        """Send as much of what is to be sent as the server takes."""
        for stream, data in self.to_send.items():
            while data and stream not in self.finished:
                room = min(
                    self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size
                )
                if room <= 0:
                    break
                self.h2.send_data(stream, bytes(data[:room]))
                del data[:room]

    def read(self) -> None:
        """Let the server send as much again as it has sent."""
        for stream, size in self.unread:
            if size and stream not in self.ended:
                self.h2.acknowledge_received_data(size, stream)
            elif size:
                self.h2.increment_flow_control_window(size)
        self.unread.clear()


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("open"), st.just(0)),
        st.tuples(st.just("send"), st.integers(0, 120_000)),
        st.tuples(st.just("read"), st.just(0)),
        st.tuples(st.just("ping"), st.just(0)),
        st.tuples(st.just("pause"), st.just(0)),
        st.tuples(st.just("resume"), st.just(0)),
        st.tuples(st.just("window"), st.integers(0, 200_000)),
        st.tuples(st.just("frames"), st.integers(16_384, 60_000)),
    ),
    max_size=25,
)


@settings(max_examples=150, deadline=None)
@given(steps=STEPS, cut=st.integers(1, 30_000), which=st.randoms(use_true_random=False))
def test_everything_arrives_in_order_whatever_the_windows(
    steps: list[tuple[str, int]], cut: int, which: object
) -> None:
    choose = getattr(which, "choice")  # noqa: B009 -- hypothesis has no type for it

    def test() -> None:
        client = Client()
        client.exchange(cut + 5)
        client.open()
        for number, (step, size) in enumerate(steps):
            if step == "open":
                client.open()
            elif step == "send":
                stream = choose(list(client.to_send))
                more = bytes([number % 251]) * size
                client.to_send[stream] += more
                client.sent[stream] += more
            elif step == "read":
                client.read()
            elif step == "ping":
                client.h2.ping(b"12345678")
                client.pings += 1
            elif step == "pause":
                client.talk.connection.pause_writing()
            elif step == "resume":
                client.talk.connection.resume_writing()
            elif step == "window":
                client.h2.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: size})
            else:
                client.h2.update_settings({h2.settings.SettingCodes.MAX_FRAME_SIZE: size})
            client.push()
            client.exchange(cut + 5)
        client.h2.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 65_535})
        client.talk.connection.resume_writing()
        for _ in range(400):
            client.push()
            client.exchange(20_000)
            client.read()
            for stream, data in client.to_send.items():
                if not data and stream not in client.finished:
                    client.finished.add(stream)
                    client.h2.end_stream(stream)
            client.exchange(20_000)
            if len(client.ended) == len(client.sent):
                break
        assert client.got == client.sent
        assert all(client.ended.values())
        assert set(client.ended) == set(client.sent)
        assert client.pings == 0
        client.talk.leave()

    in_loop(test)


def test_a_stream_can_be_reset_from_either_end() -> None:
    def test() -> None:
        client = Client()
        client.open()
        client.open()
        client.exchange(1000)
        client.h2.reset_stream(1)
        client.exchange(1000)
        assert client.talk.keepers[1].ends == ["broken"]
        client.talk.keepers[3].stream.reset(ErrorCode.CANCEL)
        events = client.h2.receive_data(client.talk.wire.take())
        assert [
            event.error_code for event in events if isinstance(event, h2.events.StreamReset)
        ] == [ErrorCode.CANCEL]
        client.open()  # the connection goes on
        client.exchange(1000)
        assert 5 in client.talk.keepers
        client.talk.leave()

    in_loop(test)
