"""`python -m pharmakon.faces.cli`: the same as `pharmakon`."""

from pharmakon.faces.cli.main import main

if __name__ == "__main__":
    main()
