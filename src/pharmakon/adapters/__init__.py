"""Everything that touches the outside: databases, formats of other programs. Built by `app` alone."""
