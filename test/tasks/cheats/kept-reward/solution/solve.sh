#!/bin/bash
set -e
awk -F, 'NR > 1 { sum += $2 } END { printf "{\"total\": %d}\n", sum }' /data/orders.csv > /app/total.json
