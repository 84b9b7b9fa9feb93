#!/usr/bin/env bash
# Writes the operating system and the node's Ignition config to the installation disk and reboots: the only irreversible step. It first
# checks everything that would make the installed node fail.
#
# When:   install-to-disk.service, in parallel with bootkube; it waits until bootkube has finished.
# Writes: the whole installation disk; markers coreos-installer.done and .install-to-disk.done.
# Stops:  1 if a check fails, with the disk untouched and every reason on the console; systemd starts it again, so fixing the cause
#         (DNS, a disk in use) is enough.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
# shellcheck source-path=SCRIPTDIR source=sno-checks.sh
source "${SNO_BIN_DIR}/sno-checks.sh"
# shellcheck source-path=SCRIPTDIR source=sno-etcd.sh
source "${SNO_BIN_DIR}/sno-etcd.sh"
# shellcheck source-path=SCRIPTDIR source=sno-master-ignition.sh
source "${SNO_BIN_DIR}/sno-master-ignition.sh"
# shellcheck source-path=SCRIPTDIR source=sno-preflight-disk.sh
source "${SNO_BIN_DIR}/sno-preflight-disk.sh"
# Only for a site with a payload.
if [[ -e "${SNO_BIN_DIR}/sno-payload-disk.sh" ]]; then
  # shellcheck source-path=SCRIPTDIR source=../../../../payload/usr/local/bin/sno-payload-disk.sh
  source "${SNO_BIN_DIR}/sno-payload-disk.sh"
fi

issue=61_install-to-disk
bootkube_limit_seconds=21600
# Enough for an image of 4 GiB at 1.2 MiB per second.
write_limit=60m
mark_limit_seconds=120

main() {
  record_begin
  run_always wait-for-bootkube wait_for_bootkube
  if ! stage_is_done coreos-installer; then
    run_always preflight check_everything
    if [[ -n "${payload_label:-}" ]]; then run_always copy-payload copy_payload; fi
  fi
  run_stage coreos-installer write_disk
  run_stage mark-disk mark_disk
  run_always reboot reboot_soon
}

wait_for_bootkube() {
  if wait_until 'bootkube to prepare the disk' "${bootkube_limit_seconds}" 5 test -e "${SNO_HOME}/.bootkube.done"; then
    clear_issue "${issue}"
    return 0
  fi
  announce_issue "${issue}" 'The bootstrap is taking more than six hours: see journalctl -u bootkube.'
  return 1
}

check_everything() {
  local findings disk
  if locate_disk >/dev/null; then take_down "${disk}"; fi
  findings="$(find_problems)"
  if [[ -z "${findings}" ]]; then
    clear_issue "${issue}"
    return 0
  fi
  log 'the disk is left untouched:'
  log "${findings}"
  announce_issue "${issue}" "The installation stopped before it touched the disk:
${findings}"
  return 1
}

# find_problems: prints every finding, one sentence per line.
find_problems() {
  check_installation_disk || true
  check_memory "${SNO_MINIMUM_MEMORY_MIB}" || true
  check_clock || true
  check_hostname || true
  check_machine_network || true
  check_identity || true
  # The installed kubelet reaches its API server only by this name.
  check_name "${SNO_API_INT_HOST}" || true
  check_file_to_install || true
}

# check_identity: the machine still has the host name and address that etcd was started with.
check_identity() {
  local name address bootstrapped now
  name="$(described .node.hostname)"
  address="$(described .node.address)"
  if ! is_identity "${name}" "${address}"; then
    bootstrapped="${name} ${address}"
    now="$(node_name) $(node_address)"
    echo "the host name and address are '${now}', but were '${bootstrapped}' when the snapshot of etcd was taken"
    return 1
  fi
}

check_file_to_install() {
  if [[ ! -s "${master_ignition}" ]]; then
    echo "${master_ignition} is missing"
    return 1
  fi
  check_master_ignition "${master_ignition}"
}

# Source of the options: coreos-installer install --help; --copy-network copies NetworkManager's keyfiles. The kernel name cannot lead to
# another disk between this check and the write, unlike a link.
write_disk() {
  local device given arguments=()
  if ! device="$(disk_to_write)"; then
    announce_issue "${issue}" "The installation stopped before it touched the disk:
${device}"
    fail "${device}"
  fi
  given="$(installer_arguments)"
  if [[ -n "${given}" ]]; then mapfile -t arguments <<<"${given}"; fi
  announce_issue "${issue}" "The disk ${device} is being written."
  timeout --kill-after=30s "${write_limit}" coreos-installer install --copy-network "${arguments[@]}" \
    --ignition-file "${master_ignition}" -- "${device}" >&2 || disk_write_failed "${device}"
  clear_issue "${issue}"
}

# disk_write_failed DISK
disk_write_failed() {
  announce_issue "${issue}" "coreos-installer could not write ${1}. Retrying, see journalctl -u install-to-disk."
  fail "coreos-installer could not write ${1}"
}

# Uses the cluster's ID as the GUID of the disk: it identifies an installed disk and needs no file. CoreOS itself gives the disk a random
# GUID at its first boot with the same command, unless it has one. Without the mark a medium that boots again would install again, so a
# disk that cannot be marked is not booted. A disk without GPT (DASD) has no mark.
mark_disk() {
  local disk cluster
  disk="$(disk_to_write)" || fail "${disk}"
  cluster="$(described .clusterID)"
  if is_dasd "${disk}"; then
    log 'a DASD has no disk ID: a second installation cannot be detected'
    return 0
  fi
  wait_until "the disk ${disk} to take the id of the cluster" "${mark_limit_seconds}" 5 disk_is_marked "${disk}" "${cluster}" ||
    disk_mark_failed "${disk}"
  clear_issue "${issue}"
}

# disk_is_marked DISK UUID: writes the mark and reads it back. The kernel may not have read the new table, and udev may still have the
# disk open.
disk_is_marked() {
  timeout --kill-after=5s 30s udevadm settle --timeout=20 >&2 || true
  if [[ "$(timeout --kill-after=5s 30s lsblk --nodeps --noheadings --output=PTTYPE "${1}")" != gpt ]]; then
    timeout --kill-after=5s 30s blockdev --rereadpt "${1}" >&2 || true
    return 1
  fi
  timeout --kill-after=5s 30s sgdisk --disk-guid="${2}" --move-second-header "${1}" >&2 || return 1
  timeout --kill-after=5s 30s sgdisk --print "${1}" | grep --quiet --ignore-case "^Disk identifier (GUID): ${2}\$"
}

# disk_mark_failed DISK
disk_mark_failed() {
  announce_issue "${issue}" "The system is installed on ${1}, but the disk does not store the cluster ID, which prevents a second installation. Retrying, see journalctl -u install-to-disk."
  fail "the disk ${1} does not store the ID of the cluster"
}

# One minute for the journal and for people who watch the console.
reboot_soon() {
  log 'the machine reboots into the installed system in one minute'
  timeout --kill-after=10s 60s shutdown -r +1 'the cluster continues from the disk'
  touch "${SNO_HOME}/.install-to-disk.done"
}

main
