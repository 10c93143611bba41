"""The run-time support of a compiled awk program."""
