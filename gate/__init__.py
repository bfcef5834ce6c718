"""Canary Gate: frozen canaries, an OS sandbox, and an exit code that says whether an agent stack may ship."""

__version__ = "0.1.0"
