"""A siege: long campaigns of kills, damage, fuzz and load against the whole program, on loopback only.

    python -m siege --out DIR [CAMPAIGN ...]        (with tests/ on the path; `make siege` runs all of it)

Every campaign is a list of numbered tries. What a try does follows from the seed, its campaign and its number alone,
so that a finding can be repeated with `--only NUMBER`. Finished tries are kept in DIR/CAMPAIGN.jsonl: the same command
goes on after the last of them, whenever it was ended. The report is DIR/report.json and a table on the terminal.
"""
