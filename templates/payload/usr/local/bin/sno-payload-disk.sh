#!/usr/bin/env bash
# Copies the payload to a partition of the installation disk, which coreos-installer keeps. A payload that lies on this disk stays.
#
# When:   sourced by install-to-disk.sh, which runs copy_payload after it has checked the machine.
# Writes: the partition table and the partition sno-payload of the installation disk; files of sno-payload-find.sh.
# Stops:  1 with the reason on the console if there is no payload or no space for it, or if the copy is not the payload.

# shellcheck source-path=SCRIPTDIR source=sno-payload-find.sh
source "${SNO_BIN_DIR}/sno-payload-find.sh"

payload_issue=46_sno-payload-disk
# A virtual medium that is slower than 0.3 MB per second hangs.
payload_chunk_bytes=1073741824
payload_chunk_limit=60m
# 30 GB at 1.5 MB per second.
payload_read_limit=6h

copy_payload() {
  local device partition
  device="$(disk_to_write)" || payload_stops "${device}"
  if is_dasd "${device}"; then payload_stops "the installation disk ${device} is a DASD, which cannot keep the partition of a payload"; fi
  partition="$(payload_partition "${device}")"
  if [[ -n "${partition}" ]] && is_copy "${partition}"; then
    log "the payload is on ${partition}"
  else
    bring_payload "${device}" "${partition}"
  fi
  stop_registry
  keep_payload "${device}"
  clear_issue "${payload_issue}"
}

# payload_stops REASON: nothing was written.
payload_stops() {
  announce_issue "${payload_issue}" "The installation stopped before it touched the disk:
${1}"
  fail "${1}"
}

# payload_partition DISK: prints its partition with the label, if any.
payload_partition() {
  timeout --kill-after=10s 1m udevadm settle --timeout=30 >&2 || true
  timeout --kill-after=10s 30s lsblk --json --paths --output=NAME,TYPE,PARTLABEL "${1}" |
    jq --raw-output --arg wanted "${payload_label}" 'first(.blockdevices[0].children[]? | select(.partlabel == $wanted) | .name) // ""'
}

# is_copy PARTITION: it contains the payload; read from the disk, not from memory.
is_copy() {
  local sum
  if [[ "$(squashfs_bytes "${1}" 0)" != "${SNO_PAYLOAD_BYTES}" ]] || ! is_squashfs "${1}" 0; then return 1; fi
  timeout --kill-after=10s 60m blockdev --flushbufs "${SNO_ROOT}${1}" >&2 || true
  sum="$(timeout --kill-after=30s "${payload_read_limit}" dd if="${SNO_ROOT}${1}" bs=4M count="${SNO_PAYLOAD_BYTES}" iflag=count_bytes status=none |
    sha256sum | cut --delimiter=' ' --fields=1)"
  [[ "${sum}" == "${SNO_PAYLOAD_SHA256}" ]]
}

# bring_payload DISK PARTITION: the partition with the label, if there is one.
bring_payload() {
  local partition="${2}" finding
  # Its own partition has no payload, or a damaged one.
  payload_ignored="$(devices_of "${1}")"
  if ! finding="$(find_payload)"; then
    announce_issue "${payload_issue}" "The installation waits: ${finding}"
    fail "${finding}"
  fi
  if on_disk "${1}"; then
    payload_stops "the payload is on the installation disk ${1}, but damaged or not in a partition ${payload_label}"
  fi
  if [[ -z "${partition}" ]] || (($(timeout --kill-after=10s 30s blockdev --getsize64 "${SNO_ROOT}${partition}") < SNO_PAYLOAD_BYTES)); then
    make_partition "${1}"
    partition="$(payload_partition "${1}")"
    [[ -n "${partition}" ]] || payload_unseen "${1}"
  fi
  write_payload "${1}" "${partition}"
  is_copy "${partition}" || copy_is_damaged "${partition}"
}

# payload_unseen DISK
payload_unseen() {
  announce_issue "${payload_issue}" "The partition ${payload_label} was created on ${1}, and the kernel does not show it. Retrying, see journalctl -u install-to-disk."
  fail "the disk ${1} does not show its new partition ${payload_label}"
}

# on_disk DISK: whether the payload in use lies on the disk.
on_disk() {
  local device
  IFS=$'\t' read -r device _ <"${payload_source}"
  devices_of "${1}" | grep --quiet --line-regexp --fixed-strings "${device}"
}

# devices_of DISK: prints it and its partitions.
devices_of() { timeout --kill-after=10s 30s lsblk --noheadings --list --paths --output=NAME "${1}"; }

# make_partition DISK: behind the operating system, with a number above those of its partitions (1 to 4). Partitions that coreos-installer
# would not keep are removed.
make_partition() {
  local saved place first last sector
  saved="$(saved_numbers "${1}")"
  if [[ -z "${saved}" ]]; then
    timeout --kill-after=10s 1m wipefs --all --force "${SNO_ROOT}${1}" >&2
    timeout --kill-after=10s 1m sgdisk --zap-all "${1}" >&2
    timeout --kill-after=10s 1m sgdisk --set-alignment=2048 --new="5:-$((SNO_PAYLOAD_BYTES / 1024))K:0" --change-name="5:${payload_label}" \
      "${1}" >&2
  else
    place="$(free_place "${1}" "${saved}")"
    [[ -n "${place}" ]] || payload_stops "the installation disk ${1} has no space for the payload between the system and the partitions that are kept; it needs $(((SNO_PAYLOAD_BYTES + 999999) / 1000000)) MB"
    IFS=$'\t' read -r first last sector <<<"${place}"
    replace_partitions "${1}" "${saved}" "${first}:${last}" "$((1048576 / sector))"
  fi
  timeout --kill-after=10s 1m blockdev --rereadpt "${SNO_ROOT}${1}" >&2 || timeout --kill-after=10s 1m partx --update "${SNO_ROOT}${1}" >&2 || true
}

# free_place DISK NUMBERS: prints first and last sector of the last place that is large enough, behind the system and beside the
# partitions of these numbers, and the size of a sector.
free_place() {
  timeout --kill-after=10s 30s sfdisk --json "${1}" 2>/dev/null |
    jq --raw-output --arg kept "[^0-9](${2})\$" --arg own "${payload_label}" --argjson bytes "${SNO_PAYLOAD_BYTES}" \
      --argjson first_mib "${SNO_MINIMUM_SYSTEM_MIB}" '.partitiontable
      | (.sectorsize // 512) as $sector | (1048576 / $sector) as $mib | (($bytes / 1048576 | ceil) * $mib) as $size
      | ([.partitions[]? | select((.node | test($kept)) and .name != $own) | { start, end: (.start + .size) }] | sort_by(.start)) as $used
      | ([.firstlba, $first_mib * $mib] | max) as $least | (.lastlba + 1) as $limit
      | [range(0; ($used | length) + 1) as $i
          | (if $i == 0 then $least else ([$used[$i - 1].end, $least] | max) end) as $from
          | ((($used[$i].start // $limit) - $size) / $mib | floor * $mib) | select(. >= $from)]
      | last // empty | [., . + $size - 1, $sector] | map(tostring) | join("\t")'
}

# replace_partitions DISK NUMBERS FIRST:LAST ALIGNMENT: one call, which changes the whole table or nothing.
replace_partitions() {
  local number name highest=4 arguments=() pattern="^(${2})\$"
  while IFS=$'\t' read -r number _ name; do
    if [[ ! "${number}" =~ ${pattern} || "${name}" == "${payload_label}" ]]; then
      arguments+=("--delete=${number}")
    elif ((number > highest)); then
      highest="${number}"
    fi
  done < <(partition_table "${1}" | tail --lines=+2)
  timeout --kill-after=10s 1m sgdisk --move-second-header "${arguments[@]}" --set-alignment="${4}" --new="$((highest + 1)):${3}" \
    --change-name="$((highest + 1)):${payload_label}" "${1}" >&2
}

# write_payload DISK PARTITION: computes the hash of the source too, which tells a damaged payload from a damaged disk.
write_payload() {
  local sum device offset reasons="${SNO_RUN_DIR}/payload-copy"
  log "copying ${SNO_PAYLOAD_BYTES} bytes to ${2}"
  if ! sum="$({ read_payload "${1}" | tee "${SNO_ROOT}${2}"; } 2>"${reasons}" | sha256sum | cut --delimiter=' ' --fields=1)"; then
    copy_failed "${1}" "$(tail --lines=1 "${reasons}")"
  fi
  timeout --kill-after=30s 60m sync "${SNO_ROOT}${2}" >&2 || copy_failed "${1}" "the disk does not store it"
  if [[ "${sum}" == "${SNO_PAYLOAD_SHA256}" ]]; then return 0; fi
  IFS=$'\t' read -r device offset <"${payload_source}"
  condemn "${device}" "${offset}" "${sum}" >&2
  stop_registry
  announce_issue "${payload_issue}" "The payload on ${device} is damaged, and the system is not installed: write it to the medium again, or attach another medium with it."
  fail "the payload on ${device} has another SHA-256 than ${SNO_PAYLOAD_SHA256}"
}

# read_payload DISK: prints it in parts, each with a time limit, and shows the progress.
read_payload() {
  local at=0
  while ((at < SNO_PAYLOAD_BYTES)); do
    announce_issue "${payload_issue}" "The payload is being copied to the disk ${1}: $((at * 100 / SNO_PAYLOAD_BYTES)) %."
    timeout --kill-after=30s "${payload_chunk_limit}" dd if="$(<"${payload_loop}")" bs=4M skip="${at}" count="${payload_chunk_bytes}" \
      iflag=skip_bytes,count_bytes status=none || return 1
    at="$((at + payload_chunk_bytes))"
  done
}

# copy_failed DISK REASON: the medium may have been removed; the next run looks for it again.
copy_failed() {
  stop_registry
  announce_issue "${payload_issue}" "The payload cannot be copied to the disk ${1}, retrying: ${2:-it takes too long}"
  fail "the payload cannot be copied to the disk ${1}: ${2:-it takes too long}"
}

# copy_is_damaged PARTITION
copy_is_damaged() {
  announce_issue "${payload_issue}" "The copy of the payload on ${1} is damaged, and the system is not installed: replace the disk."
  fail "the copy of the payload on ${1} has another SHA-256 than ${SNO_PAYLOAD_SHA256}"
}

# stop_registry: after bootkube nothing is pulled any more, and coreos-installer needs the disk for itself.
stop_registry() {
  timeout --kill-after=10s 2m systemctl stop sno-payload-registry.service >&2 || true
  if is_mounted; then unmount "$(<"${payload_loop}")"; fi
}

# keep_payload DISK: coreos-installer keeps the partition, if the system has enough space before it.
keep_payload() {
  local finding
  coreos_installer="$(jq --compact-output --arg wanted "${payload_label}" '. // {} | .savePartitionLabels = ((.savePartitionLabels // []) + [$wanted] | unique)' \
    <<<"${coreos_installer}")"
  if ! finding="$(check_saved_partitions "${1}" gpt)"; then payload_stops "${finding}"; fi
}
