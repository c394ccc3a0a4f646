"""The doors to the network: gRPC services, and the only code that knows the wire."""
