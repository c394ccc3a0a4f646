"""The exact rules for bots that search in other languages: `paddock rules serve`."""
