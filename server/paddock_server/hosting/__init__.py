"""Hosting: bots in jails, the way from a jail to its server, and the runner."""
