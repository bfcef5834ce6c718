"""Known-wrong versions of a known-right answer: what audits and the proof of a new canary share."""
