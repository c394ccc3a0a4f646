#!/bin/sh
# A bot in sh and awk: awk sees every ask, and prints the number of a choice. `choices` has one "kind"
# for each of them. One awk an ask, because some awks read ahead and would wait for more.
seed=$$
while IFS= read -r line; do
    case $line in '{"type":"ask",'*)
        seed=$((seed + 1))
        printf '%s\n' "$line" | awk -v seed="$seed" '
            BEGIN { srand(seed) }
            { sub(/^.*"choices":/, ""); print int(rand() * gsub(/"kind":/, "&")) }'
    esac
done
