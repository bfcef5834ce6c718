"""Where an answer is made: trees, throwaway copies and patches. Runs nothing that an agent wrote."""
