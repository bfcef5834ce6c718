"""How it is shown. Reads outcomes and verdicts and nothing else."""
