#!/bin/bash
cp /data/app.log /app/kept.log
