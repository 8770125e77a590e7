#!/bin/bash
sleep 240
echo 42 > /answers/answer.txt
