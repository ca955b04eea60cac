"""Models behind the ports of `ports.language_model`."""
