"""Rules and skills of the ecosystem."""
