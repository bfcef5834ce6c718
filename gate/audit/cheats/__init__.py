"""One module, one way to look right without being right."""
