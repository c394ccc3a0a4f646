"""The gRPC server: services, health, reflection, TLS and the options of its connections."""

import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import grpc
from grpc import aio
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from paddock.v1 import (
    arena_pb2,
    bot_pb2,
    bot_pb2_grpc,
    ladder_pb2,
    ladder_pb2_grpc,
    match_pb2,
    owner_pb2,
    owner_pb2_grpc,
    runner_pb2,
    runner_pb2_grpc,
    submission_pb2,
    submission_pb2_grpc,
    tournament_pb2,
    tournament_pb2_grpc,
)
from paddock_server.api.bots import Bots
from paddock_server.api.health import Health
from paddock_server.api.ladder import Ladder
from paddock_server.api.matches import Matches
from paddock_server.api.owners import Owners
from paddock_server.api.play import Play
from paddock_server.api.refusal import Refusing
from paddock_server.api.runners import Runners
from paddock_server.api.submissions import Submissions
from paddock_server.api.tournament_changes import TournamentChanges
from paddock_server.api.visiting import Visiting
from paddock_server.calls.call_server import CallServer
from paddock_server.visitors.visitors import Visitors

_SERVICES: Final = (
    arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name,
    bot_pb2.DESCRIPTOR.services_by_name["BotService"].full_name,
    match_pb2.DESCRIPTOR.services_by_name["MatchService"].full_name,
    ladder_pb2.DESCRIPTOR.services_by_name["LadderService"].full_name,
    tournament_pb2.DESCRIPTOR.services_by_name["TournamentService"].full_name,
    owner_pb2.DESCRIPTOR.services_by_name["OwnerService"].full_name,
    submission_pb2.DESCRIPTOR.services_by_name["SubmissionService"].full_name,
    runner_pb2.DESCRIPTOR.services_by_name["RunnerService"].full_name,
)


class Tls(NamedTuple):
    """The files for TLS; with a client CA, clients need a certificate that it signed."""

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def context(self) -> ssl.SSLContext:
        """The settings of TLS, read from the files."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.certificate, self.key)
        context.set_alpn_protocols(["h2"])
        if self.client_ca is not None:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.client_ca)
        return context


class Server:
    """The gRPC server of all services, with health and reflection."""

    def __init__(
        self,
        *,
        play: Play,
        matches: Matches,
        bots: Bots,
        ladder: Ladder,
        tournaments: TournamentChanges,
        owners: Owners,
        submissions: Submissions,
        runners: Runners,
        visitors: Visitors,
        interceptors: Sequence[aio.ServerInterceptor] = (),
    ) -> None:
        self._server = CallServer((*interceptors, Refusing(), Visiting(visitors)))
        self._health = Health(_SERVICES)
        server: Any = self._server  # it takes what the generated code adds, though it is another
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        described = reflection.aio.ReflectionServicer(
            (*_SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
        )
        reflecting: Any = reflection_pb2_grpc  # it has no types
        reflecting.add_ServerReflectionServicer_to_server(described, server)
        bot_pb2_grpc.add_BotServiceServicer_to_server(bots, server)
        tournament_pb2_grpc.add_TournamentServiceServicer_to_server(tournaments, server)
        ladder_pb2_grpc.add_LadderServiceServicer_to_server(ladder, server)
        owner_pb2_grpc.add_OwnerServiceServicer_to_server(owners, server)
        submission_pb2_grpc.add_SubmissionServiceServicer_to_server(submissions, server)
        runner_pb2_grpc.add_RunnerServiceServicer_to_server(runners, server)
        stream: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            play.stream
        )  # bytes both ways
        server.add_generic_rpc_handlers(
            (
                grpc.method_handlers_generic_handler(_SERVICES[0], {"Play": stream}),
                grpc.method_handlers_generic_handler(_SERVICES[2], matches.handlers()),
            )
        )

    async def listen(self, address: str, tls: Tls | None) -> int:
        """Take an address; the port, which is a free one where the address says 0.

        Raises OSError where it can't be had.
        """
        return await self._server.listen(address, None if tls is None else tls.context())

    async def start(self) -> None:
        """Begin to serve; the health service says SERVING."""
        await self._server.start()

    def drain(self) -> None:
        """Set the health service to NOT_SERVING: no new work is accepted."""
        self._health.drain()

    async def stop(self, grace: float) -> None:
        """End all calls."""
        await self._server.stop(grace)
