"""What stands between a draft and its reader: the draft's claims against what is known (FG-6, FG-7)."""
