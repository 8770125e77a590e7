#!/bin/bash
set -euo pipefail

python3 - <<'PYTHON'
import csv
import json

totals = {}
with open("/app/orders.csv", encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
        entry = totals.setdefault(row["customer"], {"customer": row["customer"], "orders": 0, "cents": 0})
        entry["orders"] += 1
        entry["cents"] += int(row["cents"])

ranking = sorted(totals.values(), key=lambda entry: (-entry["cents"], entry["customer"]))
with open("/app/totals.json", "w", encoding="utf-8") as file:
    json.dump(ranking, file, ensure_ascii=False, indent=2)
PYTHON
