"""What runs on the agent's side of the fence. Nothing here is imported by the harness."""
