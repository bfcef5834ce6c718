"""Cheats in Python source, in the configuration of its runners and in its tests: one module for each."""
