"""Kiln & Clay, a small pottery shop: products, orders, stock, and a report or two."""
