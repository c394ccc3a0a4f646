# Reads an ask, answers with the number of any of its choices: each of them has one "kind".
BEGIN { srand(seed) }
{ sub(/^.*"choices":/, ""); print int(rand() * gsub(/"kind":/, "&")) }
