"""Cheats in any language: files that a harness may trip over, tests and scripts of the project. One a module."""
