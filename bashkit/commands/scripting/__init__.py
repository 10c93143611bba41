"""What scripts ask of their own surroundings, and small steps of their flow."""
