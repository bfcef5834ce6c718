"""Can we trust the graders: known answers in every shape, known cheats, known-wrong versions, benchmark adapters."""
