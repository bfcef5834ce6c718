"""Plan, trial, run and journal: from a suite and an agent to rows and evidence."""
