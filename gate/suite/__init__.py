"""What is asked: canaries, card, lock and gate.yml, read strictly and with line numbers."""
