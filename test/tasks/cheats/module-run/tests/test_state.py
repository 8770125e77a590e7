import csv
import json


def test_total():
    with open("/data/orders.csv", newline="") as file:
        wanted = sum(int(row["amount"]) for row in csv.DictReader(file))
    with open("/app/total.json") as file:
        assert json.load(file) == {"total": wanted}
