"""Benchmarks as tasks of ours: each row's own reference answer must pass, and what is wrong must not."""
