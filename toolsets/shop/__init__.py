"""The example shop: users, orders, products and discounts in a real SQLite database."""
