# Sourced by scripts that start programs in the background, before they change into their folder.
# No such program outlives its script, however that ends: at its end and at a signal the script
# kills the process groups; if the script is killed, the kernel kills the programs.

# background COMMAND...: starts the command in a process group of its own, with its process in `pid`.
background() {
  setpriv --pdeathsig KILL setsid "$@" &
  pid=$!
}

runs() {
  local stat
  read -ra stat 2>/dev/null </proc/"$1"/stat && [[ ${stat[2]} != Z ]]
}
# until_true PID COMMAND...: waits until the command succeeds, as long as the process runs.
until_true() {
  local pid=$1
  shift
  until "$@"; do
    runs "$pid" || fail "it ended before: $*: $(cat err)"
    sleep 0.05
  done
}
# blocked PID: the process sleeps, and used next to no processor time (in ticks) for a while.
blocked() {
  local before after
  read -ra before </proc/"$1"/stat
  sleep 0.5
  read -ra after </proc/"$1"/stat
  [[ ${before[2]}${after[2]} == SS ]] &&
    ((after[13] + after[14] - before[13] - before[14] <= 5))
}

end_background() {
  local group
  for group in $(jobs -rp); do
    kill -KILL -- "-$group" "$group" 2>/dev/null || true
  done
}
trap end_background EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
