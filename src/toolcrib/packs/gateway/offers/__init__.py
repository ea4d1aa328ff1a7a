"""What servers offer beside tools: resources and prompts."""
