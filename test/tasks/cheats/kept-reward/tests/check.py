import csv
import json
import sys

try:
    with open("/data/orders.csv", newline="") as file:
        wanted = sum(int(row["amount"]) for row in csv.DictReader(file))
    with open("/app/total.json") as file:
        sys.exit(0 if json.load(file) == {"total": wanted} else 1)
except (OSError, ValueError):
    sys.exit(1)
