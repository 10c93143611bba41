"""What files there are, and what is known of them."""
