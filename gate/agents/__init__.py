"""Who answers: the controls and the built-in loop, and the tools they are given. Knows nothing of graders."""
