#!/bin/bash
# Help, completion and manual page of a program name the same commands and options:
#   completion.sh FOLDER PROGRAM...
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"

folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# check_command PROGRAM COMMAND...: its options and commands, as its help has them, are in each.
check_command() {
  local program=$1 name option word part bare
  shift
  name=$(basename "$program")
  "$program" "$@" --help >help
  for option in $(grep -oE '^ +(-[a-zA-Z],)?-{1,2}[a-zA-Z][a-z-]*' help | tr ',' ' '); do
    [[ " $(reply "$name" "$@" -- '-') " == *" $option "* ]] || fail "bash: $name $*: no $option"
    # Without -q, so that the first grep can write all of its lines.
    grep -F "\"$*\") options=(" zsh | grep -F -- "'$option:" >/dev/null || fail "zsh: $name $*: no $option"
    word=-l
    [[ $option == --* ]] || word=-s
    bare=${option#-}
    grep -F "= \"$*\"'" fish | grep -E -- " $word ${bare#-} " >/dev/null ||
      fail "fish: $name $*: no $option"
    part=".SS $(roff "$name $*")"
    [[ $# != 0 ]] || part=".SH OPTIONS"
    PART=$part awk '/^\.S/ { on = $0 == ENVIRON["PART"] } on' man >part
    grep -qF "\\fB$(roff "$option")\\fR" part || fail "manual: $name $*: no $option"
    ((checked += 1))
  done
  for word in $(sed -n '/^Subcommands:/,$p' help | sed -nE 's/^  ([a-z-]+) .*/\1/p'); do
    [[ " $(reply "$name" "$@" -- '') " == *" $word "* ]] || fail "bash: $name $*: no $word"
    check_command "$program" "$@" "$word"
  done
}
roff() { sed 's/-/\\-/g' <<<"$*"; }

# reply PROGRAM WORD... -- CURRENT: what bash offers for a line of these words.
reply() {
  local function=_${1//-/_} words=()
  while [[ $1 != -- ]]; do
    words+=("$1")
    shift
  done
  COMP_WORDS=("${words[@]}" "$2") COMP_CWORD=${#words[@]}
  "$function"
  echo "${COMPREPLY[*]}"
}

for program in "$@"; do
  "$program" completion bash >bash
  "$program" completion zsh >zsh
  "$program" completion fish >fish
  "$program" manual >man
  bash -n bash
  source ./bash
  check_command "$program"
  grep -q '^\.TH ' man
  # Without man there is nothing that reads the page.
  if command -v man >/dev/null; then
    man --warnings -l man >page 2>warnings || fail "man cannot read the page of $program"
    [[ ! -s warnings ]] || fail "man warns: $(cat warnings)"
  fi
done

# Values, also behind an equals sign, and files.
program=$1
[[ $(reply berth run --clock -- w) == wall ]] || fail "no value of --clock"
[[ $(reply berth run --clock = -- v) == virtual ]] || fail "no value behind ="
[[ $(reply berth run --strict -- --clu) == --cluster ]] || fail "a flag takes no value"
[[ $(reply berth run --seed -- '') == '' ]] || fail "a number is not completed"
[[ " $(reply berth run --cluster -- '') " == *" help "* ]] || fail "no files"
[[ " $(reply berth run --what-if -- '') " == *" help "* ]] || fail "no files for a script"
for command in run explain diff replay; do
  [[ " $(reply berth $command --report -- '') " == *" help "* ]] || fail "no files for a page of $command"
done
[[ $(reply berth config convert -- hel) == help ]] || fail "no file where one stands alone"
[[ $(reply berth completion -- z) == zsh ]] || fail "no shell"
[[ $(reply berth co -- con) == *config* ]] || fail "no command"

# Near misses.
expect 2 'did you mean --cluster?' "$program" run --clustr x
expect 2 'did you mean explain?' "$program" explian
expect 2 'did you mean virtual?' "$program" run --pods p --clock virtul
expect 2 'did you mean bash?' "$program" completion bahs
echo "$checked checks"
