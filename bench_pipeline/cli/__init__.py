"""The same assets from a shell, with bars and exit codes. Nothing is computed here."""
