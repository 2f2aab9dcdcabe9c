# Sourced by scripts that need cargo, before they change into their folder:
#   need_cargo FOLDER
# ends the script with status 77 if there is no cargo. Cargo then uses FOLDER alone, and no network.
# Then
#   build_plugin SOURCE ROOT FOLDER
# makes FOLDER/plugins/NAME.so of NAME.rs and of the crate below ROOT, without a warning.

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

build_plugin() {
  local name
  name=$(basename "$1" .rs)
  mkdir -p "$3/src" "$3/plugins"
  cp "$1" "$3/src/lib.rs"
  cat >"$3/Cargo.toml" <<END
[package]
name = "$name"
version = "0.0.1"
edition = "2021"
[lib]
crate-type = ["cdylib"]
[dependencies]
berth-plugin = { path = "$2/abi/rust" }
END
  (cd "$3" && cargo build) >"$3/log" 2>&1 || fail "the plugin does not build: $(cat "$3/log")"
  ! grep -q '^warning' "$3/log" || fail "the compiler warns: $(cat "$3/log")"
  cp "$3/target/debug/lib$name.so" "$3/plugins/$name.so"
}
