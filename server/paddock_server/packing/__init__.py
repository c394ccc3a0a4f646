"""The package of a bot that is handed in: its manifest, and archives by strict rules.

Nothing here knows the server, and only the standard library is needed: the reader of archives also
runs alone, in a jail.
"""
