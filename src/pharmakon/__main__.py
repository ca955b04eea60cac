"""`python -m pharmakon` is `pharmakon`."""

from pharmakon.faces.cli.main import main

if __name__ == "__main__":
    main()
