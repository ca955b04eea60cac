"""The few protocols between what is computed and what stores it."""
