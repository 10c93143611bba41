"""File operations that several utilities share: reading lines, walking trees, resolving, backing up and describing files."""
