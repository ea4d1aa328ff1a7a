"""The shapes that cross the border of the shop: JSON in, JSON out. See ADR 0009."""
