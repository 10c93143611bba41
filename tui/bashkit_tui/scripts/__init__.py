"""Scripts while they are typed: completion, syntax, and command lines made from parameters."""
