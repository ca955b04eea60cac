"""`make bench`: every measurement at sizes that take a minute or two. See each module for larger ones."""

from __future__ import annotations

import sys

from benchmarks import ask, audit, store

if __name__ == "__main__":
    print("audits")
    audit.main(sys.argv[1:])
    print("\nstore")
    store.main(["--sizes", "10000", "100000"])
    print("\nquestions")
    ask.main(["--sizes", "10000"])
