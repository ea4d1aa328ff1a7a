"""The demo: the example project and the steps through it."""
