# The words of the files outcome.sh: commands as a user types them, and promises about what becomes of
# the pods. Sourced by scripts that set `program`, `output` and `cases`.
#
# PODS is a pattern of pod names, as of files in a shell; pods of other namespaces are NAMESPACE/NAME.
# A promise about a pattern that no pod matches is broken.

kept=0        # promises
recorded=     # file of kube-scheduler's answer to the same objects, if there is one
declare -A outcome_of node_of line_of

fail() {
  echo "$(basename "$PWD"): $*" >&2
  cat "$output/log" "$output/results.jsonl" >&2 2>/dev/null || true
  exit 1
}

# call STATUS COMMAND ARGS...: runs Berth's command, which has to exit with the status.
call() {
  local wanted=$1 status=0
  shift
  if [[ $1 == run ]]; then
    set -- "$@" --results "$output/results.jsonl" --scores=10000 -v=2
  fi
  rm -f "$output/results.jsonl"
  recorded=
  "$program" "$@" >"$output/page" 2>"$output/log" || status=$?
  ((status == wanted)) || fail "berth $*: exit status $status, expected $wanted: $(cat "$output/page")"
  if [[ $1 == run ]]; then
    read_results
  fi
}
# berth COMMAND ARGS...: as a user calls it. The results of a run are what promises speak of.
berth() { call 0 "$@"; }
# rejecting COMMAND ARGS...: the same where Berth rejects some of the input.
rejecting() { call 1 "$@"; }

read_results() {
  local line pod head='^\{"namespace":"([^"]*)","name":"([^"]*)","outcome":"([^"]*)"(,"node":"([^"]*)")?'
  outcome_of=() node_of=() line_of=()
  while IFS= read -r line; do
    if [[ $line == '{"node":'* ]]; then
      continue # a drain
    fi
    [[ $line =~ $head ]] || fail "a line of results begins in another way: $line"
    pod=${BASH_REMATCH[1]}/${BASH_REMATCH[2]}
    pod=${pod#default/}
    outcome_of[$pod]=${BASH_REMATCH[3]}
    node_of[$pod]=${BASH_REMATCH[5]}
    line_of[$pod]=$line
  done < <(cat "$output/results.jsonl" 2>/dev/null)
}

# Sets `found` to the pods that match the pattern.
find_pods() {
  local pod
  found=()
  for pod in "${!line_of[@]}"; do
    if [[ $pod == $1 ]]; then
      found+=("$pod")
    fi
  done
  ((${#found[@]} > 0)) || fail "no pod is named $1"
}

# Sets `value` to a text of a pod's line; empty if the line has none.
text_of() {
  local pattern='"'$2'":"(([^"\\]|\\.)*)"'
  value=
  if [[ ${line_of[$1]} =~ $pattern ]]; then
    value=${BASH_REMATCH[1]//\\\"/\"}
  fi
}

# recorded_as CASE: kube-scheduler was asked about the same objects. What promises say of nodes and
# messages has to stand in the recorded answer, too.
recorded_as() {
  recorded=$cases/1.36/documentation/documentation-$1.json
  [[ -r $recorded ]] || fail "there is no case $recorded"
}
# in_record TEXT...: one of the texts is part of the recorded answer.
in_record() {
  local text
  [[ -n $recorded ]] || return 0
  for text in "$@"; do
    if grep -qF -- "$text" "$recorded"; then
      return 0
    fi
  done
  fail "kube-scheduler's recorded answer is without $1"
}

# runs PODS NODE...: each of the pods runs, and on one of the nodes.
runs() {
  local pod pattern=$1
  shift
  find_pods "$pattern"
  for pod in "${found[@]}"; do
    [[ ${outcome_of[$pod]} == scheduled ]] || fail "$pod is ${outcome_of[$pod]}, expected scheduled"
    [[ " $* " == *" ${node_of[$pod]} "* ]] || fail "$pod is on ${node_of[$pod]}, expected $*"
    in_record '"bind":"'"${node_of[$pod]}"'"' '{"node":"'"${node_of[$pod]}"'","victims"'
  done
  ((kept += 1))
}

# each COUNT PODS NODE...: so many of the pods run on each of the nodes, and none elsewhere.
each() {
  local pod node count wanted=$1 pattern=$2
  shift 2
  runs "$pattern" "$@"
  for node in "$@"; do
    count=0
    for pod in "${found[@]}"; do
      if [[ ${node_of[$pod]} == "$node" ]]; then
        ((count += 1))
      fi
    done
    ((count == wanted)) || fail "$count of $pattern run on $node, expected $wanted"
  done
}

# number COUNT PODS [OUTCOME]: so many pods match, and have the outcome.
number() {
  local pod count=0
  find_pods "$2"
  for pod in "${found[@]}"; do
    if [[ -z ${3:-} || ${outcome_of[$pod]} == "$3" ]]; then
      ((count += 1))
    fi
  done
  ((count == $1)) || fail "$count pods $2 are ${3:-there}, expected $1"
  ((kept += 1))
}

# ends PODS OUTCOME [MESSAGE]: what became of each of the pods, and why.
ends() {
  local pod
  find_pods "$1"
  for pod in "${found[@]}"; do
    [[ ${outcome_of[$pod]} == "$2" ]] || fail "$pod is ${outcome_of[$pod]}, expected $2"
    if (($# > 2)); then
      text_of "$pod" message
      [[ $value == *"$3"* ]] || fail "the message of $pod is"$'\n'"$value"$'\n'"expected"$'\n'"$3"
      in_record '"message":"'"$3"'"'
      in_record '"message":"'"$3"'"'
    fi
  done
  ((kept += 1))
}

# waits PODS MESSAGE: none of the pods fits; this is all that their events say.
waits() {
  local pod
  ends "$1" unschedulable
  for pod in "${found[@]}"; do
    text_of "$pod" message
    [[ $value == "$2" ]] || fail "the message of $pod is"$'\n'"$value"$'\n'"expected"$'\n'"$2"
  done
  # The recorded scheduler had no dynamic allocation of resources, which adds some words.
  in_record '"event":"'"${2/no new claims to deallocate, /}"'"'
}

# first_fails POD MESSAGE: the pod's first event says so. The pod may run in the end.
first_fails() {
  local pod=$1
  [[ $pod == */* ]] || pod=default/$pod
  grep -m 1 -F "waiting\" pod=\"$pod\"" "$output/log" | grep -qF "err=\"$2\"" ||
    fail "the first event of $1 is not: $2"
  in_record '"event":"'"$2"'"'
  ((kept += 1))
}

# evicts POD VICTIM...: these pods have to leave for it, and no others.
evicts() {
  local victim list= pod=$1
  shift
  find_pods "$pod"
  for victim in "$@"; do
    list+=,'"default/'$victim'"'
  done
  [[ ${line_of[$pod]} == *'"victims":['"${list#,}"']'* ]] || fail "the victims of $pod are not: $*"
  in_record '"victims":['"${list#,}"']'
  ((kept += 1))
}
# evicts_nobody POD
# A controller evicts the pod, and says this.
disrupted() {
  find_pods "$1"
  text_of "$1" evicted_because
  [[ $value == "$2" ]] || fail "$1 is evicted because of \"$value\", expected \"$2\""
  ((kept += 1))
}
# A request to evict the pod is answered by this code, the last one if there were several, and the
# answer has the text.
eviction() {
  local line
  line=$(grep -F '"name":"'"$1"'","outcome":"eviction_' "$output/results.jsonl" | tail -n 1) ||
    fail "nobody asked to evict $1"
  [[ $line == *'"code":'"$2"[,}]* && $line == *"${3:-}"* ]] || fail "the answer to $1 is $line"
  ((kept += 1))
}
# What became of the drain of the node, the last one if there were several; its line has the texts.
drain() {
  local line text
  line=$(grep -F '{"node":"'"$1"'","outcome":' "$output/results.jsonl" | tail -n 1) ||
    fail "nobody drained $1"
  for text in '"outcome":"'"$2"'"' "${@:3}"; do
    [[ $line == *"$text"* ]] || fail "the drain of $1 is $line, expected $text"
  done
  ((kept += 1))
}
# happens SECONDS NOTE: so long after the beginning, in whole seconds, there is an event with this
# note, in the file events.jsonl of the output.
happens() {
  local line time
  line=$(grep -m 1 -F '"note":"'"$2"'"' "$output/events.jsonl") || fail "no event has the note $2"
  time=$(date -u -d "@$((1704067200 + $1))" +%Y-%m-%dT%H:%M:%S)
  [[ $line == *'"eventTime":"'"$time"* ]] || fail "not $1 s after the beginning: $line"
  ((kept += 1))
}
evicts_nobody() {
  find_pods "$1"
  [[ ${line_of[$1]} != *'"victims"'* ]] || fail "pods have to leave for $1"
  ((kept += 1))
}

# scores POD PLUGIN NODE=SCORE...: what the plugin gives these nodes, from 0 to 100, before weights;
# with the plugin `total`, the weighted sum; with `weight`, each NODE is a plugin's name.
scores() {
  local pod=$1 plugin=$2 pair rest pattern='"normalised":([0-9]+)' part
  shift 2
  find_pods "$pod"
  for pair in "$@"; do
    rest=${line_of[$pod]}
    part='"node":"'${pair%=*}'","total":'
    if [[ $plugin == weight ]]; then
      part='"'${pair%=*}'":{' pattern='"weight":([0-9]+)'
    fi
    [[ $rest == *'"scores":'*"$part"* ]] || fail "$pod has no scores of ${pair%=*}"
    rest=${rest#*'"scores":'}
    rest=${rest#*"$part"}
    if [[ $plugin == total ]]; then
      pattern='^([0-9]+)'
    elif [[ $plugin != weight ]]; then
      rest=${rest%%'{"node":'*}
      [[ $rest == *'"'$plugin'":{'* ]] || fail "$plugin does not score ${pair%=*} for $pod"
      rest=${rest#*'"'$plugin'":{'}
    fi
    [[ $rest =~ $pattern && ${BASH_REMATCH[1]} == "${pair#*=}" ]] ||
      fail "$plugin gives ${pair%=*} ${BASH_REMATCH[1]:-nothing} for $pod, expected ${pair#*=}"
    ((kept += 1))
  done
}
# unscored POD PLUGIN...: these plugins do not take part in the choice of the pod's node.
unscored() {
  local plugin
  find_pods "$1"
  for plugin in "${@:2}"; do
    [[ ${line_of[$1]} != *'"'$plugin'":{'* ]] || fail "$plugin scores nodes for $1"
  done
  ((kept += 1))
}
# searched POD FEASIBLE: how many nodes the search found before it stopped.
searched() {
  grep -F "bound pod to node\" pod=\"default/$1\"" "$output/log" | grep -q "feasibleNodes=$2\$" ||
    fail "not $2 nodes were found for $1"
  ((kept += 1))
}

# says TEXT: the page that the last command printed has the text. warns TEXT: its standard error.
says() {
  grep -qF -- "$1" "$output/page" || fail "the page is without \"$1\": $(cat "$output/page")"
  ((kept += 1))
}
warns() {
  grep -qF -- "$1" "$output/log" || fail "standard error is without \"$1\""
  ((kept += 1))
}

# What `berth explain -o json` says: the pod fits on these nodes; the plugin refuses them.
fits() {
  local node page
  page=$(tr -d ' \n' <"$output/page")
  for node in "$@"; do
    [[ $page == *'{"name":"'$node'","feasible":true,'* ]] || fail "the pod does not fit on $node: $page"
  done
  ((kept += 1))
}
refuses() {
  local node page rest plugin=$1
  shift
  page=$(tr -d ' \n' <"$output/page")
  for node in "$@"; do
    rest=${page#*'{"name":"'"$node"'","feasible":false,'}
    [[ $rest != "$page" ]] || fail "$node is not refused: $page"
    rest=${rest%%'{"name":"'*}
    [[ $rest =~ '"plugin":"'$plugin'","verdict":"Unsch'[^{}]*'"reported":true' ]] ||
      fail "it is not $plugin that refuses $node: $rest"
  done
  ((kept += 1))
}
# gives PLUGIN NODE=SCORE...: the scores from 0 to 100, before weights, as `berth explain` tells them.
gives() {
  local pair page rest plugin=$1
  shift
  page=$(tr -d ' \n' <"$output/page")
  for pair in "$@"; do
    rest=${page#*'{"name":"'"${pair%=*}"'",'}
    [[ $rest != "$page" ]] || fail "there is no node ${pair%=*}: $page"
    rest=${rest%%'{"name":"'*}
    [[ $rest =~ '"plugin":"'$plugin'",'[^{}]*'"normalised":'([0-9]+) && ${BASH_REMATCH[1]} == "${pair#*=}" ]] ||
      fail "$plugin does not give ${pair%=*} ${pair#*=}: $rest"
  done
  ((kept += 1))
}
