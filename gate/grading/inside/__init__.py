"""Programs that run inside the fence: standard library only, and copied there under a drawn name."""
