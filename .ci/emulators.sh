# Servers on loopback that stand for AWS's: sourced by .ci/conform and .ci/e2e-aws, which must have set $dir to a directory of
# their own and $name to what they are called. What is started is ended by its own process id.
dynoxide=@dynoxide/linux-x64@1.2.1
servers=()

stop() {
  local pid
  for pid in "${servers[@]}"; do
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  servers=()
}
trap 'stop; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# start COMMAND... runs a server with a free port behind its last argument and sets port. A free port can be taken by another
# process before the server has it: then the server ends and another port is tried.
start() {
  local pid
  for _ in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 12000))
    if answers "$port"; then
      continue
    fi
    "$@" "$port" >"$dir/server-${#servers[@]}.log" 2>&1 &
    pid=$!
    for _ in $(seq 200); do
      if ! kill -0 "$pid" 2>/dev/null || answers "$port"; then
        break
      fi
      sleep 0.1
    done
    if kill -0 "$pid" 2>/dev/null && answers "$port"; then
      servers+=("$pid")
      return 0
    fi
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  tail -n 20 "$dir/server-${#servers[@]}.log" 2>/dev/null || true
  echo "$name: FAILED, $1 did not start"
  return 1
}

# have_dynoxide says whether a DynamoDB-compatible server can be had: 0, 1 when npm failed where it must not, 2 when it cannot.
have_dynoxide() {
  if ! command -v npm >/dev/null; then
    echo "$name: SKIPPED $1: npm is not installed, so there is no DynamoDB-compatible server to test against"
    return 2
  fi
  if ! npm install --silent --no-audit --no-fund --no-save --prefix "$dir" "$dynoxide" >"$dir/npm.log" 2>&1; then
    tail -n 5 "$dir/npm.log"
    if [ "${CI:-}" = true ]; then
      echo "$name: FAILED, npm could not install $dynoxide"
      return 1
    fi
    echo "$name: SKIPPED $1: npm could not install $dynoxide"
    return 2
  fi
}

start_dynoxide() { start "$dir/node_modules/@dynoxide/linux-x64/dynoxide" serve --host 127.0.0.1 --port; }

# have_moto sets moto to its version, or says what is missing.
have_moto() {
  if ! moto=$(python3 -c 'import flask, moto; print(moto.__version__)' 2>/dev/null); then
    echo "$name: SKIPPED $1: python3 with moto[server] is not installed, so there is no server that stands for it"
    return 2
  fi
}

start_moto() { start python3 .ci/moto_mended.py; }
