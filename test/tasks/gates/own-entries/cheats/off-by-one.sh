#!/bin/bash
# targets: the number is 42
echo 41 > /answers/answer.txt
