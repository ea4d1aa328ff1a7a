"""A team's own Python tools, served from the modules that the configuration names."""
