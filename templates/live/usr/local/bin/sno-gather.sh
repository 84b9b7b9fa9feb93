#!/usr/bin/env bash
# Shared by the gather scripts: creates the bundle and collects files of the machine. A failed command leaves its error in the bundle and
# does not stop the script.
#
# When:   sourced by installer-gather.sh (live system and all-in-one node) and installer-masters-gather.sh. Needs no env file and no cluster.
# Writes: below the given folder.
# Stops:  only make_bundle ends the script.

SNO_ROOT="${SNO_ROOT:-}"
SNO_BIN_DIR="${SNO_BIN_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)}"
# shellcheck source-path=SCRIPTDIR source=sno-redact.sh
source "${SNO_BIN_DIR}/sno-redact.sh"

# make_bundle ARG…: the main function of an installer-gather.sh, which defines `gather FOLDER`. Writes ${TAR_FILE}, or
# log-bundle-ID.tar.gz in the caller's home. Ends the script with 1 for wrong arguments or if the archive cannot be written.
make_bundle() {
  local id archive artifacts
  id="$(read_id "${@}")" || exit 1
  archive="${TAR_FILE:-${HOME}/log-bundle-${id}.tar.gz}"
  become_root "${archive}" "${@}"
  umask 077
  artifacts="${SNO_ROOT}/tmp/artifacts-${id}"
  new_folder "${artifacts}"
  gather "${artifacts}" 2>&1 | redact | tee "${artifacts}/gather.log" >&2
  pack "${artifacts}" "${archive}" "log-bundle-${id}"
  rm --recursive --force "${artifacts}"
  echo "Log bundle written to ${archive}"
}

# make_place FILE: creates its folder.
make_place() {
  if [[ ! -d "${1%/*}" ]]; then mkdir --parents "${1%/*}"; fi
}

# collect FILE COMMAND [ARG…]: writes the redacted output of the command to FILE; limit two minutes.
collect() {
  make_place "${1}"
  { timeout --kill-after=10s 120 "${@:2}" 2>&1 || echo "(${2}: exit status ${?})"; } | redact >"${1}" || true
}

# collect_compressed FILE COMMAND [ARG…]: the same for long output.
collect_compressed() {
  make_place "${1}"
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

# collect_unit_journals FOLDER UNIT…: one file per unit.
collect_unit_journals() {
  local unit
  for unit in "${@:2}"; do
    collect "${1}/${unit}.log" journalctl --boot --no-pager --output=short-iso --unit="${unit}"
  done
}

# collect_journals FOLDER UNIT…: also the whole journal with unit names.
collect_journals() {
  collect_unit_journals "${@}"
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

# collect_containers FOLDER: all containers of CRI-O, by name and ID.
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

# new_folder PATH: creates an empty folder with mode 0700; anything at that path is removed.
new_folder() {
  rm --recursive --force "${1}"
  mkdir --mode=0700 "${1}"
}

# become_root ARCHIVE ARG…: journal and containers need root; the archive keeps the caller's path and owner.
become_root() {
  if ((EUID != 0)) && [[ -z "${SNO_ROOT}" ]]; then
    exec sudo --non-interactive TAR_FILE="${1}" "${0}" "${@:2}"
  fi
}

# attempt WHAT COMMAND [ARG…]: a failure is logged, and WHAT is missing from the bundle.
attempt() {
  echo "gathering ${1}"
  "${@:2}" || echo "gathering ${1} failed"
}

# copy_redacted FROM TO: copies a folder if it exists.
copy_redacted() {
  if [[ ! -d "${1}" ]]; then return 0; fi
  mkdir --parents "$(dirname "${2}")"
  cp --recursive --no-dereference "${1}" "${2}"
  redact_files "${2}"
}

# pack FOLDER ARCHIVE NAME: creates the archive atomically, owned by the caller.
pack() {
  tar --create --gzip --directory="$(dirname "${1}")" --transform="s,^$(basename "${1}"),${3}," \
    --file="${2}.new" "$(basename "${1}")"
  if [[ -n "${SUDO_UID:-}" && -n "${SUDO_GID:-}" ]]; then chown "${SUDO_UID}:${SUDO_GID}" "${2}.new"; fi
  mv --force "${2}.new" "${2}"
}
