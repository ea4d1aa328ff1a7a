"""Any command-line program, described in YAML, behind two meta-tools."""
