"""One verb, one module, one function that returns the exit code."""
