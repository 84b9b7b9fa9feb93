#!/usr/bin/env bash
# What both gather scripts collect from the machine they run on. An answer that does not come leaves its error in the bundle
# and stops nothing.
#
# When:   sourced by installer-gather.sh and installer-masters-gather.sh. It needs neither the env file nor a cluster.
# Writes: below the folder each function is given.
# Stops:  nothing.

SNO_ROOT="${SNO_ROOT:-}"
SNO_BIN_DIR="${SNO_BIN_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)}"
# shellcheck source-path=SCRIPTDIR source=sno-redact.sh
source "${SNO_BIN_DIR}/sno-redact.sh"

# collect FILE COMMAND [ARG…]: what the command says, redacted, in FILE. Two minutes are enough for any of them.
collect() {
  mkdir --parents "$(dirname "${1}")"
  { timeout --kill-after=10s 120 "${@:2}" 2>&1 || echo "(${2}: exit status ${?})"; } | redact >"${1}" || true
}

# collect_compressed FILE COMMAND [ARG…]: the same for what is long.
collect_compressed() {
  mkdir --parents "$(dirname "${1}")"
  { timeout --kill-after=10s 120 "${@:2}" 2>&1 || true; } | redact | gzip >"${1}" || true
}

# collect_failed_units FOLDER
collect_failed_units() {
  local unit
  collect "${1}/failed-units.txt" systemctl list-units --state=failed --plain --no-legend
  { timeout --kill-after=10s 60s systemctl list-units --state=failed --plain --no-legend 2>/dev/null || true; } | awk '{ print $1 }' |
    while read -r unit; do
      collect "${1}/unit-status/${unit}.txt" systemctl status --full --no-pager "${unit}"
      collect "${1}/unit-status/${unit}.log" journalctl --boot --no-pager --output=short-iso --unit="${unit}"
    done
}

# collect_journals FOLDER UNIT…: a file a unit, and the whole journal with the names of the units.
collect_journals() {
  local unit
  for unit in "${@:2}"; do
    collect "${1}/${unit}.log" journalctl --boot --no-pager --output=short-iso --unit="${unit}"
  done
  collect_compressed "${1}/journal.log.gz" journalctl --boot --no-pager --output=with-unit
}

# collect_network FOLDER
collect_network() {
  collect "${1}/ip-addr.txt" ip addr
  collect "${1}/ip-route.txt" ip route
  collect "${1}/ip-route-6.txt" ip -6 route
  collect "${1}/hostname.txt" hostnamectl
  collect "${1}/sockets.txt" ss --listening --numeric --processes --tcp --udp
  collect "${1}/resolv.conf" cat "${SNO_ROOT}/etc/resolv.conf"
  collect "${1}/hosts" cat "${SNO_ROOT}/etc/hosts"
}

# collect_containers FOLDER: CRI-O's, running or not, by name and id.
collect_containers() {
  local id name
  collect "${1}/containers.txt" crictl ps --all
  { timeout --kill-after=10s 60s crictl ps --all --output=json 2>/dev/null || true; } |
    jq --raw-output '.containers[]? | [.id, .metadata.name] | @tsv' 2>/dev/null |
    while IFS=$'\t' read -r id name; do
      collect "${1}/${name}-${id:0:13}.log" crictl logs --timestamps --tail=20000 "${id}"
      collect "${1}/${name}-${id:0:13}.inspect" crictl inspect "${id}"
    done
}

# collect_podman FOLDER
collect_podman() {
  local id
  collect "${1}/containers.txt" podman ps --all
  { timeout --kill-after=10s 60s podman ps --all --quiet 2>/dev/null || true; } | while read -r id; do
    collect "${1}/${id}.log" podman logs --timestamps "${id}"
    collect "${1}/${id}.inspect" podman inspect "${id}"
  done
}

# collect_system FOLDER
collect_system() {
  collect "${1}/rpm-ostree-status.txt" rpm-ostree status
  collect "${1}/rpm-ostree-history.txt" rpm-ostree ex history
  collect "${1}/block-devices.txt" lsblk --output=NAME,TYPE,SIZE,RO,FSTYPE,LABEL,MOUNTPOINT,MODEL
  collect "${1}/memory.txt" free --mebi
  collect "${1}/file-systems.txt" df --human-readable
  collect "${1}/time.txt" timedatectl
}

# read_id ARG…: prints the value of --id, which becomes part of file names.
read_id() {
  local id=''
  if [[ "${1:-}" == --id ]]; then id="${2:-}"; fi
  if [[ ! "${id}" =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]]; then
    echo 'the first argument must be --id ID, where ID holds letters, digits, dots, dashes and underscores' >&2
    return 1
  fi
  printf '%s\n' "${id}"
}

# new_folder PATH: an empty folder only we can read, whatever stood there.
new_folder() {
  rm --recursive --force "${1}"
  mkdir --mode=0700 "${1}"
}
