"""The connections of a server, as gRPC is told to keep them."""

from typing import Final

OPTIONS: Final = (
    # Play refuses frames over its own limit with a reason; gRPC itself refuses those over this one.
    ("grpc.max_receive_message_length", 1024 * 1024),
    ("grpc.max_send_message_length", 16 * 1024 * 1024),
    # A frozen client is noticed only if the ping has a time limit of its own.
    ("grpc.keepalive_time_ms", 120_000),  # in a match the referee's timer is quicker
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    # Clients may ping often.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.so_reuseport", 0),  # a second server on the port must fail, not share it
)
"""The options of the server's connections; `paddock check-bot` uses the same."""
