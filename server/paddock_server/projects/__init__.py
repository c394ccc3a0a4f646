"""New projects for bots: `paddock new-bot`, and the downloads of the first page."""
