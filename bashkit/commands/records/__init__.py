"""Lines as records: sorted, joined, cut into fields."""
