"""What shows that a text which reads as a language is code of it."""
