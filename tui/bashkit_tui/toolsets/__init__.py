"""The open toolsets: finding and reading their files, the texts that the model sees, the review of changed snapshots."""
