"""What a loop talks to: the model interface and the models behind it."""
