"""A way to a bot that keeps the frames which leave by it."""

from paddock.v1 import arena_pb2


class Frames:
    """An outlet; it takes frames while it is ready."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.ready = True

    def send(self, message: bytes) -> None:
        """Keep a frame."""
        assert self.ready
        self.sent.append(message)

    @property
    def items(self) -> list[arena_pb2.RefereeItem]:
        """All that was sent."""
        return [
            item for frame in self.sent for item in arena_pb2.PlayResponse.FromString(frame).items
        ]
