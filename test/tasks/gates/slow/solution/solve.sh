#!/bin/bash
sleep 240
echo 42 > /work/answer.txt
