#!/bin/sh
# Puts the SDK and the packages that it needs into lib/, so that this bot can be built without a
# network. What only other systems than Linux need is left out: an archive that is handed in has at
# most 20 MB.
set -eu
cd "$(dirname "$0")"
make -C paddock/clients/java build
rm -rf lib
cp -r paddock/clients/java/build/lib lib
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
for file in "$PWD"/lib/grpc-netty-shaded-*.jar; do
    (cd "$unpacked" && jar --extract --file "$file")
    rm -f "$unpacked"/META-INF/native/*osx* "$unpacked"/META-INF/native/*windows*
    jar --create --file "$file" --manifest "$unpacked/META-INF/MANIFEST.MF" -C "$unpacked" .
done
