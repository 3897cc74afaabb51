"""What starts by itself. Sensors only watch files and partitions; they compute nothing."""
