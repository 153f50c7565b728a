#!/bin/sh
# Installs `upk` for this user: fetches the artefact for this machine, compares its SHA-256 with the list of the release,
# and puts the program into ~/.local/bin.
#
#   UPK_VERSION=0.1.0    a release in place of the newest
#   UPK_BIN=/opt/bin     where the program goes
#   UPK_FROM=FOLDER      where artefacts come from: a folder of this machine, or an address
#   UPK_TARGET=TRIPLE    the artefact for another machine
#
# The whole program is a function that the last line calls: a download that is cut short does nothing.
set -eu

fail() {
    echo "install: $*" >&2
    exit 1
}

target() {
    case "$(uname -s) $(uname -m)" in
        "Linux x86_64") echo x86_64-unknown-linux-gnu ;;
        "Linux aarch64" | "Linux arm64") echo aarch64-unknown-linux-gnu ;;
        "Darwin arm64") echo aarch64-apple-darwin ;;
        "Darwin x86_64") echo x86_64-apple-darwin ;;
        *) fail "there is no program for $(uname -s) on $(uname -m): cargo install --locked upk builds one" ;;
    esac
}

# Copies or downloads $1 of the release to the file $2.
get() {
    case $from in
        https://*)
            # Not wget, which follows an address to one that is not encrypted: the sums would prove nothing.
            command -v curl >/dev/null || fail "curl is needed"
            curl --proto '=https' --tlsv1.2 -fsSL "$from/$1" -o "$2" || fail "can't download $from/$1"
            ;;
        http://*) fail "$from is not encrypted: what comes from there proves nothing" ;;
        *) cp "${from#file://}/$1" "$2" || fail "no file $1 in ${from#file://}" ;;
    esac
}

sum() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1" | cut -d ' ' -f 1
    elif command -v shasum >/dev/null; then
        shasum -a 256 "$1" | cut -d ' ' -f 1
    else
        fail "sha256sum or shasum is needed: what can't be checked is not installed"
    fi
}

install() {
    releases=https://github.com/farchive/farchive/releases
    if [ -n "${UPK_FROM:-}" ]; then
        from=$UPK_FROM
    elif [ -n "${UPK_VERSION:-}" ]; then
        from=$releases/download/v$UPK_VERSION
    else
        from=$releases/latest/download
    fi
    target=${UPK_TARGET:-$(target)}
    bin=${UPK_BIN:-$HOME/.local/bin}
    file=upk-$target.tar.gz
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    get SHA256SUMS "$work/SHA256SUMS"
    get "$file" "$work/$file"
    wanted=$(awk -v file="$file" '$2 == file { print $1 }' "$work/SHA256SUMS")
    [ -n "$wanted" ] || fail "SHA256SUMS does not list $file"
    found=$(sum "$work/$file")
    [ "$wanted" = "$found" ] || fail "$file has the SHA-256 $found, the release says $wanted: nothing is installed"
    tar -xzf "$work/$file" -C "$work"
    mkdir -p "$bin"
    # Renamed over the old one: a program that runs meanwhile keeps its own.
    cp "$work/upk-$target/upk" "$bin/.upk-install.$$"
    chmod 755 "$bin/.upk-install.$$"
    mv -f "$bin/.upk-install.$$" "$bin/upk"
    echo "installed $bin/upk"
    case ":$PATH:" in
        *":$bin:"*) ;;
        *) echo "$bin is not in PATH: add it, or call the program by its whole path" ;;
    esac
}

install
