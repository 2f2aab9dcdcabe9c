# Sourced by the scripts of this folder, before they change into their folder.
source "$(dirname "${BASH_SOURCE[0]}")/background.sh"

# Plugins of whoever runs the tests are no part of them.
export HOME=/nonexistent
unset BERTH_PLUGIN_PATH

checked=0

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# expect STATUS TEXT COMMAND...: the command exits with STATUS and prints TEXT. Its output stays in
# the files out and err.
expect() {
  local status=0 wanted=$1 text=$2
  shift 2
  "$@" >out 2>err || status=$?
  if ((status != wanted)) || ! grep -qF -- "$text" out err; then
    fail "$*: exit status $status, expected $wanted and \"$text\": $(cat out err)"
  fi
  ((checked += 1))
}

# interrupted PATTERN COMMAND...: Ctrl-C ends the command, later each time, until it says PATTERN, an
# extended regular expression. How far it comes in a time depends on the machine.
interrupted() {
  local pattern=$1 seconds status
  shift
  for seconds in 0.3 0.4 0.6 0.8 1.1 1.5 2.1 3 4.2 6 8 11 16 22 30; do
    status=0
    timeout --foreground --preserve-status -s INT "$seconds" "$@" >out 2>err || status=$?
    ((status == 130)) || fail "$*: exit status $status after $seconds s, expected 130: $(cat out err)"
    grep -qE -- "$pattern" out err || continue
    ((checked += 1))
    return
  done
  fail "$*: interrupted, it does not say $pattern: $(cat out err)"
}
