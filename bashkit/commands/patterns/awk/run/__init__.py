"""What a compiled awk program works with while it runs."""
