"""Is it right: every grader, and the grade they add up to. Knows nothing of agents."""
