"""Cheats in JavaScript, one a module."""
