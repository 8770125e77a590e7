#!/bin/bash
echo "solving as $(id -un)"
echo done > /app/answer.txt
