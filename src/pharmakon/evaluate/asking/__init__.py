"""What is measured of questions and answers."""
