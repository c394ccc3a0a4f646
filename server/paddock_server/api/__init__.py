"""The gRPC services of a server: who may call them, and what they answer."""
