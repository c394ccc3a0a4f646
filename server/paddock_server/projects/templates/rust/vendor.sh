#!/bin/sh
# Puts the packages of this bot into vendor/, so that it can be built without a network. What only
# other systems than Linux need is emptied, and what only tests need is left out: an archive that
# is handed in has at most 20 MB and 5,000 files.
set -eu
cd "$(dirname "$0")"
rm -rf vendor .cargo
cargo vendor --quiet --versioned-dirs vendor > /dev/null
mkdir .cargo
cat > .cargo/config.toml <<'END'
[source.crates-io]
replace-with = "vendored"

[source.vendored]
directory = "vendor"
END
used=$(for machine in x86_64 aarch64; do
    cargo tree --edges normal,build --target "$machine-unknown-linux-gnu" --prefix none --format '{p}'
done | awk '{print $1 "-" substr($2, 2)}')
for package in vendor/*; do
    # Cargo compares the files with this list, and only with this list.
    sed -i 's/"files":{[^}]*}/"files":{}/' "$package/.cargo-checksum.json"
    if echo "$used" | grep -qxF "${package#vendor/}"; then
        rm -rf "$package/tests" "$package/benches" "$package/examples" "$package/.github"
    else
        find "$package" -mindepth 1 ! -name Cargo.toml ! -name .cargo-checksum.json -delete
        mkdir "$package/src"
        : > "$package/src/lib.rs"
    fi
done
