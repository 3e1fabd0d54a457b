"""A blog for Django: people, tags, articles."""
