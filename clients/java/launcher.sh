#!/bin/sh
# Starts quickly and with one thread for the garbage: a bot mostly waits.
here=$(dirname "$(readlink -f "$0")")
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$here/lib/*" CLASS "$@"
