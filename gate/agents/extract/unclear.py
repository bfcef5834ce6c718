"""Why nothing is taken out of a message, although there is something in it."""

from __future__ import annotations


class Unclear(Exception):
    """What the message holds cannot be read in exactly one way; the text says why."""


MAX_PIECES = 1_000
"""Blocks, hunks and edits of one message: far more than any answer has, few enough to look at each of them."""
