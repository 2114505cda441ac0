#!/usr/bin/env bash
# Builds the fuzz targets (test/fuzz/README.md) and runs each of them for so many seconds, as many at a time as there are processors.
# usage: fuzz.sh SECONDS [TARGET...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:?usage: fuzz.sh SECONDS [TARGET...]}
shift
targets=("$@")
if [ $# -eq 0 ]; then mapfile -t targets < <(ls test/fuzz/corpus); fi

# What a careful reader of 64 MiB files may take; above it, and on inputs that take longer, an input is a finding.
export RSS_MB=2048 TIMEOUT_SECONDS=10
# The folder of what was learned is kept from run to run, and is no part of the repository.
export BUILT=${CARGO_TARGET_DIR:-target}/fuzz
mkdir -p "$BUILT/found" "$BUILT/logs"

# Coverage is counted by a pass that stable LLVM has; cargo-fuzz sets the same flags, and needs a nightly compiler for no more
# than the sanitizers. A symbol may be dropped by the linker while its counters are not, so dead code stays.
passes='-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters'
passes+=' -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Clink-dead-code'
CARGO_BUILD_TARGET=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_BUILD_TARGET
RUSTFLAGS=$passes cargo build --release --locked --manifest-path test/fuzz/Cargo.toml --target-dir "$BUILT"
export FUZZ=$BUILT/$CARGO_BUILD_TARGET/release/fuzz

run () {
  local target=$1 log=$BUILT/logs/$1.log status=0
  mkdir -p "$BUILT/learned/$target"
  # No reader gets more address space either, so that one huge allocation is a finding before it is touched.
  (ulimit -v 16000000; TABCAST_FUZZ_TARGET=$target "$FUZZ" -max_total_time="$2" -max_len=32768 -timeout="$TIMEOUT_SECONDS" \
    -rss_limit_mb="$RSS_MB" -seed="${FUZZ_SEED:-0}" -print_final_stats=1 -artifact_prefix="$BUILT/found/$target-" \
    "$BUILT/learned/$target" "test/fuzz/corpus/$target") > "$log" 2>&1 || status=$?
  stat () { sed -n "s/^stat::$1: *//p" "$log"; }
  echo "$target: $(stat number_of_executed_units) inputs, $(stat average_exec_per_sec) a second, $(stat peak_rss_mb) MiB"
  if [ "$status" -ne 0 ]; then
    echo "FOUND by $target:"
    grep -v '^#[0-9]' "$log" | tail -40
    return 1
  fi
}
export -f run
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I '{}' bash -euo pipefail -c "run '{}' $seconds"
