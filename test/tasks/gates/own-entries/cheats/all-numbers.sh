#!/bin/bash
# title: every number there is
# targets: 42, and nothing else
seq 1 100 > /answers/answer.txt
