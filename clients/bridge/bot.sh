#!/bin/sh
# A bot of sh and awk: every ask goes through bot.awk, which picks a number.
#   python -m paddock.bridge --name mine -- clients/bridge/bot.sh
# One awk an ask, because some awks read ahead in a pipe and would wait for more before answering.
awk_bot=$(dirname "$0")/bot.awk
seed=$$
while IFS= read -r line; do
    case $line in '{"type":"ask",'*)
        seed=$((seed + 1))
        printf '%s\n' "$line" | awk -v seed="$seed" -f "$awk_bot"
    esac
done
