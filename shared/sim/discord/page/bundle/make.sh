#!/usr/bin/env bash
# Bundles the components of Discord's look that the page uses into ../components.js, with their licences. It needs npm and the
# network, and runs when the list in entry.mjs or a version below changes; the result is committed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
here=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp entry.mjs defaults.mjs style-map.mjs "$tmp"
cd "$tmp"
npm init -y >/dev/null
npm install --silent --no-fund --no-audit @skyra/discord-components-core@4.0.2 esbuild@0.28.2
banner='/*! @skyra/discord-components-core 4.0.2 (MIT) with Lit (BSD-3-Clause), made by "make page". Licences: components.LICENSE.txt */'
npx esbuild entry.mjs --bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=eof --banner:js="$banner" \
	--alias:lit/directives/style-map.js=./style-map.mjs --log-level=warning --outfile="$here/../components.js"
{
	echo '@skyra/discord-components-core 4.0.2'
	echo
	cat "$here/skyra.LICENSE.txt"
	for p in lit lit-html @lit/context; do
		printf '\n\n%s %s\n\n' "$p" "$(node -p "require('./node_modules/$p/package.json').version")"
		cat "node_modules/$p/LICENSE"
	done
} >"$here/../components.LICENSE.txt"
wc -c "$here/../components.js"
