"""The wire code of Paddock, version 1, made from proto/ by clients/python/generate.py."""
