"""What stands between a draft and a reader: claims against the conflict checks of the audit."""
