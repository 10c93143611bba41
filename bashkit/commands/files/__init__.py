"""Files and directories made, copied, moved and removed."""
