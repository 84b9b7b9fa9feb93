#!/usr/bin/env bash
# Copies the payload to a partition of the installation disk, which coreos-installer keeps. A payload that lies on this disk stays.
#
# When:   install-to-disk.service, before install-to-disk.sh. It waits until bootkube has finished.
# Writes: the partition table and the partition sno-payload of the installation disk; SNO_COREOS_INSTALLER in the env file.
# Stops:  1 if a check fails, with the disk untouched, or if the copy is not the payload; systemd starts it again.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=../../../../live/usr/local/bin/sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
# shellcheck source-path=SCRIPTDIR source=../../../../live/usr/local/bin/sno-etcd.sh
source "${SNO_BIN_DIR}/sno-etcd.sh"
# shellcheck source-path=SCRIPTDIR source=../../../../live/usr/local/bin/sno-preflight-disk.sh
source "${SNO_BIN_DIR}/sno-preflight-disk.sh"
# shellcheck source-path=SCRIPTDIR source=sno-payload-find.sh
source "${SNO_BIN_DIR}/sno-payload-find.sh"

export SERVICE_RECORD_NAME=sno-payload-disk
issue=46_sno-payload-disk
bootkube_limit_seconds=21600
# 30 GB at 1.5 MB per second, the rate of a slow virtual medium.
copy_limit=6h

main() {
  record_begin
  run_always wait-for-bootkube wait_until 'bootkube to prepare the disk' "${bootkube_limit_seconds}" 5 test -e "${SNO_HOME}/.bootkube.done"
  if stage_is_done coreos-installer; then return 0; fi
  run_always check-disk check_target
  run_always copy-payload bring_to_disk
  run_always keep-partition keep_partition
  clear_issue "${issue}"
}

# check_target: nothing is written before these checks. A payload on this disk frees the disk.
check_target() {
  local finding disk
  if locate_disk >/dev/null; then take_down "${disk}"; fi
  if ! finding="$(check_installation_disk)" || ! finding="$(check_space)"; then
    announce_issue "${issue}" "The installation stopped before it touched the disk:
${finding}"
    fail "${finding}"
  fi
}

# check_space: the disk has space for the cluster and the payload.
check_space() {
  local disk needed size
  locate_disk || return 1
  needed="$((SNO_MINIMUM_DISK_GB * 1000000000 + SNO_PAYLOAD_BYTES))"
  size="$(timeout --kill-after=10s 30s blockdev --getsize64 "${SNO_ROOT}${disk}")"
  if ((size < needed)); then
    echo "the installation disk ${disk} has $((size / 1000000000)) GB; the cluster and the payload need $(((needed + 999999999) / 1000000000)) GB"
    return 1
  fi
  if is_dasd "$(device_of "${disk}")"; then
    echo "the installation disk ${disk} is a DASD, which cannot keep the partition of a payload"
    return 1
  fi
}

bring_to_disk() {
  local device partition
  device="$(disk_to_write)" || fail "${device}"
  partition="$(payload_partition "${device}")"
  if [[ -n "${partition}" ]] && is_copy "${partition}"; then
    log "the payload is on ${partition}"
    leave_disk "${device}"
    return 0
  fi
  find_payload >&2 || fail 'the payload is no longer on this machine'
  if on_disk "${device}"; then
    announce_issue "${issue}" "The installation stopped before it touched the disk: the payload on ${device} is damaged, or not in a partition ${payload_label}."
    fail "the payload is on the installation disk ${device}, and is damaged or not in a partition ${payload_label}"
  fi
  announce_issue "${issue}" "The payload is being copied to the disk ${device}."
  if [[ -z "${partition}" ]] || (($(timeout --kill-after=10s 30s blockdev --getsize64 "${partition}") < SNO_PAYLOAD_BYTES)); then
    make_partition "${device}" "${partition}"
    partition="$(payload_partition "${device}")"
    [[ -n "${partition}" ]] || fail "the disk ${device} has no partition ${payload_label}"
  fi
  copy_payload "${partition}"
  is_copy "${partition}" || copy_is_damaged "${partition}"
}

# payload_partition DISK: prints its partition with the label, if any.
payload_partition() {
  timeout --kill-after=10s 1m udevadm settle --timeout=30 >&2 || true
  timeout --kill-after=10s 30s lsblk --json --paths --output=NAME,TYPE,PARTLABEL "${1}" |
    jq --raw-output --arg wanted "${payload_label}" 'first(.blockdevices[0].children[]? | select(.partlabel == $wanted) | .name) // ""'
}

# on_disk DISK: whether the payload in use lies on the disk.
on_disk() {
  local device
  IFS=$'\t' read -r device _ <"${payload_source}"
  timeout --kill-after=10s 30s lsblk --noheadings --list --paths --output=NAME "${1}" | grep --quiet --line-regexp --fixed-strings "${device}"
}

# is_copy PARTITION: it contains the payload; read from the disk, not from memory.
is_copy() {
  local sum
  if [[ "$(squashfs_bytes "${1}" 0)" != "${SNO_PAYLOAD_BYTES}" ]] || ! is_squashfs "${1}" 0; then return 1; fi
  timeout --kill-after=10s 1m blockdev --flushbufs "${1}" >&2 || true
  sum="$(timeout --kill-after=30s "${copy_limit}" dd if="${1}" bs=4M count="${SNO_PAYLOAD_BYTES}" iflag=count_bytes status=none |
    sha256sum | cut --delimiter=' ' --fields=1)"
  [[ "${sum}" == "${SNO_PAYLOAD_SHA256}" ]]
}

# make_partition DISK OLD: at the end of the largest free block, behind the numbers of the operating system (1 to 4). Partitions that
# coreos-installer would not keep are removed.
make_partition() {
  local saved pattern number name highest=4 kilobytes="$((SNO_PAYLOAD_BYTES / 1024))"
  saved="$(saved_numbers "${1}")"
  pattern="^(${saved})\$"
  if [[ -z "${saved}" ]]; then
    timeout --kill-after=10s 1m wipefs --all --force "${1}" >&2
    timeout --kill-after=10s 1m sgdisk --zap-all "${1}" >&2
  else
    while IFS=$'\t' read -r number _ name; do
      if [[ ! "${number}" =~ ${pattern} || "${name}" == "${payload_label}" ]]; then
        timeout --kill-after=10s 1m sgdisk --delete="${number}" "${1}" >&2
      elif ((number > highest)); then
        highest="${number}"
      fi
    done < <(partition_table "${1}" | tail --lines=+2)
  fi
  timeout --kill-after=10s 1m sgdisk --move-second-header --set-alignment=2048 --new="$((highest + 1)):-${kilobytes}K:0" \
    --change-name="$((highest + 1)):${payload_label}" "${1}" >&2
  timeout --kill-after=10s 1m blockdev --rereadpt "${1}" >&2 || timeout --kill-after=10s 1m partx --update "${1}" >&2 || true
}

copy_payload() {
  log "copying ${SNO_PAYLOAD_BYTES} bytes to ${1}"
  timeout --kill-after=30s "${copy_limit}" dd if="$(<"${payload_loop}")" of="${1}" bs=4M conv=fsync,notrunc status=progress >&2
}

# copy_is_damaged PARTITION
copy_is_damaged() {
  announce_issue "${issue}" "The copy of the payload on ${1} is damaged, and the system is not installed: replace the medium or the disk."
  fail "the copy of the payload on ${1} has another SHA-256 than ${SNO_PAYLOAD_SHA256}"
}

# leave_disk DISK: stops the registry if it reads the disk that coreos-installer is about to write.
leave_disk() {
  if ! is_mounted || ! on_disk "${1}"; then return 0; fi
  log "the registry of the payload ends, since the payload is on the installation disk"
  timeout --kill-after=10s 2m systemctl stop sno-payload-registry.service >&2
  unmount "$(<"${payload_loop}")"
}

# The last line of the env file counts.
keep_partition() {
  local settings
  settings="$(jq --compact-output --arg wanted "${payload_label}" '. // {} | .savePartitionLabels = ((.savePartitionLabels // []) + [$wanted] | unique)' \
    <<<"${SNO_COREOS_INSTALLER:-null}")"
  if [[ "${settings}" == "${SNO_COREOS_INSTALLER:-}" ]]; then return 0; fi
  # Neither labels nor kernel arguments contain quotes.
  printf "SNO_COREOS_INSTALLER='%s'\n" "${settings}" >>"${SNO_ENV_FILE}"
}

main
