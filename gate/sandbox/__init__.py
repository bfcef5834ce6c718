"""The fence: one policy, a back end for each system, and the proof that a command really ran inside."""
