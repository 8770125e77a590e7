#!/bin/bash
echo 42 > /answers/answer.txt
