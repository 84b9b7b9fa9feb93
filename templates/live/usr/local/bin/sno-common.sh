#!/usr/bin/env bash
# Shared by the scripts of the live system and of the installed node: paths, log, bounded waits, stages, the notice on the console.
#
# When:   sourced, after `set -Eeuo pipefail`. Sources the env file, bootstrap-service-record.sh and release-image.sh.
# Writes: nothing when sourced; run_stage writes ${SNO_MARKER_DIR}/NAME.done, announce_issue a file in ${SNO_ISSUE_DIR}.
# Stops:  1 if the env file is missing.
#
# Every path can be set by the caller; SNO_ROOT prefixes all of them.

# A failing command also ends a command substitution.
shopt -s inherit_errexit

SNO_ROOT="${SNO_ROOT:-}"
SNO_BIN_DIR="${SNO_BIN_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)}"
SNO_HOME="${SNO_HOME:-${SNO_ROOT}/opt/openshift}"
SNO_ETC="${SNO_ETC:-${SNO_ROOT}/etc}"
SNO_RUN_DIR="${SNO_RUN_DIR:-${SNO_ROOT}/run/sno-install}"
SNO_MARKER_DIR="${SNO_MARKER_DIR:-${SNO_HOME}}"
SNO_ISSUE_DIR="${SNO_ISSUE_DIR:-${SNO_ETC}/issue.d}"
SNO_ENV_FILE="${SNO_ENV_FILE:-${SNO_HOME}/sno-install.env}"
# Seconds since boot do not jump when the time is synchronized.
SNO_UPTIME_FILE="${SNO_UPTIME_FILE:-/proc/uptime}"

if [[ ! -r "${SNO_ENV_FILE}" ]]; then
  echo "cannot read ${SNO_ENV_FILE}, which the installer put on this node" >&2
  exit 1
fi
# shellcheck source=/dev/null
source "${SNO_ENV_FILE}"
# shellcheck source-path=SCRIPTDIR source=bootstrap-service-record.sh
source "${SNO_BIN_DIR}/bootstrap-service-record.sh"
# shellcheck source-path=SCRIPTDIR source=release-image.sh
source "${SNO_BIN_DIR}/release-image.sh"

# log MESSAGE: to standard error, which is the journal; standard output is for results.
log() { printf '%s\n' "${*}" >&2; }

# fail MESSAGE: logs the message and returns 1, so that `set -e` ends the script and the record contains the caller's line.
fail() {
  log "${*}"
  return 1
}

# uptime_seconds: whole seconds since boot.
uptime_seconds() {
  local seconds
  read -r seconds _ <"${SNO_UPTIME_FILE}"
  printf '%s\n' "${seconds%%.*}"
}

# wait_until WHAT TIMEOUT_SECONDS INTERVAL_SECONDS COMMAND [ARG…]: repeats the command until it succeeds. Returns 1 after the timeout. The
# command runs as a condition, so `set -e` has no effect in it: pass a plain test.
wait_until() {
  local what="${1}" limit="${2}" interval="${3}" begun now said
  shift 3
  begun="$(uptime_seconds)"
  said="${begun}"
  log "waiting for ${what}, at most ${limit} s"
  until "${@}"; do
    now="$(uptime_seconds)"
    if ((now - begun >= limit)); then
      fail "timed out after ${limit} s waiting for ${what}"
      return 1
    fi
    if ((now - said >= 60)); then
      log "still waiting for ${what}: $((now - begun)) s of ${limit} s"
      said="${now}"
    fi
    sleep "${interval}"
  done
}

# long_names: the first lines of an OpenSSL configuration that allows common names of up to 255 characters. X.509 limits them to 64
# and OpenSSL enforces that; Go, and so Kubernetes, does not. Source: RFC 5280, ub-common-name; OpenSSL config(5), stbl_section
long_names() {
  printf '%s\n' 'openssl_conf = openssl_init' '[openssl_init]' 'stbl_section = string_table' '[string_table]' 'CN = min:1,max:255'
}

# stage_is_done NAME
stage_is_done() { [[ -e "${SNO_MARKER_DIR}/${1}.done" ]]; }

# mark_done NAME: creates the marker atomically.
mark_done() {
  mkdir --parents "${SNO_MARKER_DIR}"
  date --utc +%Y-%m-%dT%H:%M:%SZ >"${SNO_MARKER_DIR}/${1}.done.new"
  mv --force "${SNO_MARKER_DIR}/${1}.done.new" "${SNO_MARKER_DIR}/${1}.done"
}

# run_stage NAME COMMAND [ARG…]: runs the command once as a recorded stage. A failure ends the script (the record library closes the
# stage), and the next run starts with this stage. Never call it as a condition: that would disable `set -e` inside the stage.
run_stage() {
  local stage_name="${1}"
  shift
  if stage_is_done "${stage_name}"; then
    log "stage ${stage_name}: done by an earlier run"
    return 0
  fi
  log "stage ${stage_name}"
  record_stage_start "${stage_name}"
  "${@}"
  mark_done "${stage_name}"
  record_stage_success
}

# run_always NAME COMMAND [ARG…]: a recorded stage without a marker; every start of the service runs it again.
run_always() {
  log "stage ${1}"
  record_stage_start "${1}"
  "${@:2}"
  record_stage_success
}

# try_stage NAME COMMAND [ARG…]: a recorded stage whose failure does not stop the script. It runs in a subshell outside of any condition,
# so that it ends at its first error.
try_stage() {
  local stage_name="${1}" stage_status
  shift
  if stage_is_done "${stage_name}"; then return 0; fi
  log "stage ${stage_name}"
  record_stage_start "${stage_name}"
  set +o errexit
  (set -o errexit && "${@}")
  stage_status="${?}"
  set -o errexit
  if [[ "${stage_status}" -eq 0 ]]; then
    mark_done "${stage_name}"
    record_stage_success
  else
    log "stage ${stage_name} failed, which does not stop the installation"
    record_stage_failure
  fi
}

# announce_issue NAME TEXT: shows the text in red above the console's login prompt until clear_issue.
announce_issue() {
  local file="${SNO_ISSUE_DIR}/${1}.issue" text
  text="$(printf '\\e{lightred}%s\\e{reset}' "${2//\\/\\\\}")"
  if [[ -e "${file}" && "$(<"${file}")" == "${text}" ]]; then return 0; fi
  keep "${file}" "${text}"
  reload_prompts
}

# clear_issue NAME
clear_issue() {
  if [[ -e "${SNO_ISSUE_DIR}/${1}.issue" ]]; then
    rm --force "${SNO_ISSUE_DIR}/${1}.issue"
    reload_prompts
  fi
}

# Makes agetty read the issue files again; without agetty they appear at the next login.
reload_prompts() {
  if command -v agetty >/dev/null; then timeout --kill-after=10s 30s agetty --reload || true; fi
}
