"""Typed functions as callbacks: their signatures declare the parameters, and they are called with them."""
