"""The wire format of the games, for servers and clients: values of the rules as bytes and JSON.

from paddock_wire import CODECS, codec_of

codec = codec_of("winter")
message = arena_pb2.GameChoice.FromString(codec.choice(choice))
codec.read_choice(message)    # is choice
"""

from paddock_wire.codec import Codec, Json, Terms
from paddock_wire.errors import Unreadable
from paddock_wire.registry import CODECS, codec_of, codec_of_choice

__all__ = ["CODECS", "Codec", "Json", "Terms", "Unreadable", "codec_of", "codec_of_choice"]
