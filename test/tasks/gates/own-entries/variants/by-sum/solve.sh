#!/bin/bash
# title: without a line break
printf %s "$((40 + 2))" > /answers/answer.txt
