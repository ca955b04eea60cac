"""Language models and embedders, behind `ports.language_model` and `ports.embedder`."""
