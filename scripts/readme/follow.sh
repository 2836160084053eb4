#!/usr/bin/env bash
# Follows README.md as a newcomer would: runs all code blocks in one shell with a clean HOME, beginning with `git clone`,
# which gets what is committed here. Stops at the first block that fails.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mkdir "$scratch/home" "$scratch/blocks"

# Writes each code block to a numbered file. Omits blocks that need the reader's own data.
awk -v to="$scratch/blocks" '
  /^```sh$/ { inside = 1; n += 1; if (before != "<!-- yours -->") file = sprintf("%s/%02d", to, n); next }
  /^```$/ { inside = 0; file = "" }
  inside && file != "" { print > file }
  !inside { before = $0 }
' README.md

cat > "$scratch/follow" << 'END'
set -euo pipefail
for block in "$BLOCKS"/*; do
  printf '\n--- README.md, block %s\n' "${block##*/}"
  sed 's/^/$ /' "$block"
  trap 'echo "README.md: block ${block##*/} failed" >&2' EXIT
  . "$block"
done
trap - EXIT
END

# Makes git clone this checkout instead of the address in README.md.
settings=(GIT_CONFIG_COUNT=1 "GIT_CONFIG_KEY_0=url.$PWD.insteadOf" GIT_CONFIG_VALUE_0=https://git.example/partner.git)
cd "$scratch"
# Keeps the machine's proxy and registry settings, but nothing else, so that the README must be sufficient.
for name in LANG TERM TMPDIR CI PARTNER_SANDBOX_HAR PARTNER_TEST_REQUIRES NPM_CONFIG_REGISTRY HTTPS_PROXY HTTP_PROXY NO_PROXY \
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE; do
  [ -z "${!name-}" ] || settings+=("$name=${!name}")
done
env -i "${settings[@]}" HOME="$scratch/home" NPM_CONFIG_USERCONFIG="${NPM_CONFIG_USERCONFIG:-$HOME/.npmrc}" \
  PATH="$PATH" BLOCKS="$scratch/blocks" bash "$scratch/follow" < /dev/null
echo
echo "README.md: all blocks did what they say"
