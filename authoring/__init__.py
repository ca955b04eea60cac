"""What keeps the formulary true: run from a checkout, not shipped. `python -m authoring crosscheck|lint|page`."""
