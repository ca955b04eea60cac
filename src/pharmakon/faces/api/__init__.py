"""Over HTTP: the same use cases as on the command line, for programs. Thin; the OpenAPI document describes it."""
