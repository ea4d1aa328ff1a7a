"""Small helpers of the core: JSON, records, suggestions, redaction, logs, threads."""
