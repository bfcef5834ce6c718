"""What is mistaken for what in Python: operators, functions, methods."""

from __future__ import annotations

import re
from collections.abc import Mapping

COMPARES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "<": (("boundary", "<="), ("compare", ">"), ("compare", ">=")),
    "<=": (("boundary", "<"), ("compare", ">="), ("compare", ">")),
    ">": (("boundary", ">="), ("compare", "<"), ("compare", "<=")),
    ">=": (("boundary", ">"), ("compare", "<="), ("compare", "<")),
    "==": (("compare", "!="), ("compare", ">="), ("compare", "<=")),
    "!=": (("compare", "=="),),
    "is": (("compare", "=="), ("compare", "is not")),
    "is not": (("compare", "!="), ("compare", "is")),
    "in": (("compare", "not in"),),
    "not in": (("compare", "in"),),
}
ARITHMETIC: Mapping[str, tuple[str, ...]] = {
    "+": ("-", "*"),
    "-": ("+",),
    "*": ("/", "+", "**"),
    "/": ("*", "//"),
    "//": ("/", "%"),
    "%": ("//",),
    "**": ("*",),
    "&": ("|",),
    "|": ("&",),
    "<<": (">>",),
    ">>": ("<<",),
}
NAMES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "min": (("swap", "max"),),
    "max": (("swap", "min"),),
    "any": (("logic", "all"),),
    "all": (("logic", "any"),),
    "int": (("round", "round"),),
    "round": (("round", "int"),),
}
METHODS: Mapping[str, tuple[str, ...]] = {
    "append": ("extend",),
    "extend": ("append",),
    "strip": ("rstrip", "lstrip"),
    "lstrip": ("strip", "rstrip", "removeprefix"),
    "rstrip": ("strip", "lstrip", "removesuffix"),
    "startswith": ("endswith",),
    "endswith": ("startswith",),
    "lower": ("upper", "casefold"),
    "upper": ("lower",),
    "floor": ("ceil",),
    "ceil": ("floor",),
    "find": ("rfind",),
    "rfind": ("find",),
    "index": ("rindex",),
    "split": ("rsplit",),
    "rsplit": ("split",),
    "partition": ("rpartition",),
    "rpartition": ("partition",),
    "keys": ("values",),
    "values": ("keys",),
    "remove": ("discard",),
    "update": ("intersection_update",),
    "union": ("intersection",),
    "intersection": ("union",),
    "popleft": ("pop",),
    "appendleft": ("append",),
}
OPERATOR = re.compile(rb"is\s+not|not\s+in|//|\*\*|<<|>>|<=|>=|==|!=|[-+*/%&|<>]|\bis\b|\bin\b")
