"""The main screen: the tree of tools on the left, the panes on the right."""
