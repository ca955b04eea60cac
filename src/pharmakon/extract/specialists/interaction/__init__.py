"""What a label says about other drugs, food and drink: the specialist, its trained model and the scope of its names."""
