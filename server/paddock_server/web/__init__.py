"""HTTP: what people and monitors see of a server."""
