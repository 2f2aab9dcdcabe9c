# Sourced by scripts that need cargo, before they change into their folder:
#   need_cargo FOLDER
# ends the script with status 77 if there is no cargo. Cargo then uses FOLDER alone, and no network.

# The toolchain of whoever runs the tests: rustup looks for it below HOME, which tests may change.
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}

need_cargo() {
  mkdir -p "$1/cargo_home"
  export CARGO_HOME=$1/cargo_home CARGO_NET_OFFLINE=true CARGO_TARGET_DIR=$1/target
  if ! cargo --version >"$1/version" 2>&1; then
    echo "skipped: no cargo ($(head -n 1 "$1/version"))"
    exit 77
  fi
}
