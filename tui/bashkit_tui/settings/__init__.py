"""What the user sets and keeps: colours, keys, the settings file, the folder for state."""
