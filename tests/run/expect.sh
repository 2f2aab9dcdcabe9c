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

# interrupted COMMAND...: Ctrl-C in the first run of a question says that there is no answer, in the
# second it gives the answer so far.
interrupted() {
  expect 130 '' timeout --foreground --preserve-status -s INT 1 "$@"
  grep -qE 'so there is no answer|^partial: ' out err || fail "$*: nothing is said: $(cat out err)"
}
