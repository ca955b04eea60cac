"""What is read out of labels, against what people read in them."""
