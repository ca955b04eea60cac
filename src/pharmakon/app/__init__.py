"""Settings, the one place where objects are built, and the use cases."""
