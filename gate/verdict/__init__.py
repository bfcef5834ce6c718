"""What may be said: statistics, slices, baseline, blockers, statement. Reads outcomes and nothing else."""
