"""Built-in toys that every cheat is tried on, one for each way of grading."""
