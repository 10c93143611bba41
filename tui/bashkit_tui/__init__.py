"""The inspector: a terminal application that shows what a model will see of a toolset and what a script really did."""
