#!/usr/bin/env bash
# Finds the payload on the disks of the machine and checks it.
#
# When:   sourced after sno-common.sh and sno-root-device.sh.
# Writes: ${SNO_RUN_DIR}: payload-source (device and offset), payload-loop (its loop device), payload-damaged (places of damaged
#         payloads); mounts ${payload_dir}.
# Stops:  nothing.

# shellcheck source=/dev/null
source "${SNO_PAYLOAD_ENV_FILE:-${SNO_HOME}/sno-payload.env}"

payload_dir="${SNO_RUN_DIR}/payload"
payload_source="${SNO_RUN_DIR}/payload-source"
payload_loop="${SNO_RUN_DIR}/payload-loop"
payload_verdicts="${SNO_RUN_DIR}/payload-damaged"
payload_label=sno-payload
# A payload lies at the first MiB behind an ISO; more is searched for media that were padded.
payload_search_mib=64
# Devices that are not searched, one per line.
payload_ignored=

# find_payload: finds, checks and mounts the payload. If there is none, prints each place with a reason and returns 1.
find_payload() {
  local device offset finding status damaged='' other='' looked='' verdicts=''
  if is_mounted; then return 0; fi
  while IFS=$'\t' read -r device offset; do
    status=0
    finding="$(judge_place "${device}" "${offset}")" || status="${?}"
    if ((status == 0)); then return 0; fi
    if ((status == is_damaged)); then damaged+="${damaged:+, }${device}"; fi
    if ((status == is_other)); then other+="${other:+, }${device}"; fi
    if ((status == was_judged)); then
      damaged+="${damaged:+, }${device}"
      verdicts+="$(place_key "${device}" "${offset}")"$'\t'"${finding}"$'\n'
    fi
    looked+=$'\n'"  ${device}${offset:+ at byte ${offset}}: ${finding}"
  done < <(payload_candidates)
  # A medium that was removed is judged again when it returns.
  keep "${payload_verdicts}" "${verdicts%$'\n'}"
  headline "${damaged}" "${other}"
  echo "looked at:${looked:- nothing, there is no disk}"
  return 1
}

# headline DAMAGED OTHER: prints the reason; devices with a damaged payload, and with another one.
headline() {
  if [[ -n "${1}" ]]; then
    echo "the payload ${SNO_PAYLOAD_NAME} on ${1} is damaged: write it to the medium again, or attach another medium with it"
  elif [[ -n "${2}" ]]; then
    echo "the payload ${SNO_PAYLOAD_NAME} is on no disk of this machine, but another one is on ${2}"
  else
    echo "the payload ${SNO_PAYLOAD_NAME} (${SNO_PAYLOAD_BYTES} bytes) is on no disk of this machine"
  fi
}

# judge_place DEVICE OFFSET: mounts the payload that begins there; otherwise prints a finding and returns 1, or one of the numbers.
is_damaged=2
is_other=3
was_judged=4
judge_place() {
  local status=0
  check_payload_at "${1}" "${2}" || return "${?}"
  if finding_of "${1}" "${2}"; then return "${was_judged}"; fi
  mount_payload "${1}" "${2}" || status="${?}"
  return "${status}"
}

# place_key DEVICE OFFSET: another medium in the same device has another number. Source: Linux, Documentation/ABI/stable/sysfs-block,
# diskseq
place_key() {
  local folder="${SNO_ROOT}/sys/class/block/${1##*/}" sequence=''
  sequence="$(cat "${folder}/diskseq" 2>/dev/null || cat "${folder}/../diskseq" 2>/dev/null)" || true
  printf '%s %s %s\n' "${1}" "${2}" "${sequence}"
}

# finding_of DEVICE OFFSET: prints the finding if the payload there was found to be damaged: reading all of it takes minutes.
finding_of() {
  local key known finding
  key="$(place_key "${1}" "${2}")"
  while IFS=$'\t' read -r known finding; do
    if [[ "${known}" == "${key}" ]]; then
      printf '%s\n' "${finding}"
      return 0
    fi
  done < <(cat "${payload_verdicts}" 2>/dev/null || true)
  return 1
}

# condemn DEVICE OFFSET SHA256: remembers that the payload there is damaged, and prints the finding.
condemn() {
  local key finding="it is damaged (SHA-256 ${3:-unknown}, wanted ${SNO_PAYLOAD_SHA256})"
  key="$(place_key "${1}" "${2}")"
  mkdir --parents "${SNO_RUN_DIR}"
  printf '%s\t%s\n' "${key}" "${finding}" >>"${payload_verdicts}"
  printf '%s\n' "${finding}"
}

is_mounted() { timeout --kill-after=10s 30s mountpoint --quiet "${payload_dir}"; }

# payload_candidates: prints device and byte offset of each place where a payload can begin, the boot medium first.
payload_candidates() {
  local device type label
  while IFS=$'\t' read -r device type label; do
    if [[ $'\n'"${payload_ignored}"$'\n' == *$'\n'"${device}"$'\n'* ]]; then
      continue
    elif [[ "${type}" == part ]]; then
      if [[ "${label}" == "${payload_label}" ]]; then printf '%s\t0\n' "${device}"; fi
    else
      candidates_of "${device}"
    fi
  done < <(block_devices)
}

# block_devices: prints path, type and label of whole disks, CDs and partitions, those of the boot medium first.
block_devices() {
  local medium
  medium="$(live_medium)"
  timeout --kill-after=10s 30s lsblk --json --paths --output=NAME,TYPE,PARTLABEL 2>/dev/null |
    jq --raw-output --arg medium "${medium}" '[.blockdevices[]? | recurse(.children[]?) as $each
        | { medium: any(recurse(.children[]?); .name == $medium), name: $each.name, type: $each.type, label: ($each.partlabel // "") }
        | select(.type == "disk" or .type == "rom" or .type == "part")]
      | unique_by(.name) | sort_by(.medium | not) | .[] | [.name, .type, .label] | @tsv'
}

# candidates_of DISK: its begin, or the first payload behind an ISO. Source of the field: ECMA-119, 8.4.8 (Volume Space Size, in blocks
# of 2048 bytes)
candidates_of() {
  local blocks mib last
  if [[ "$(read_text "${1}" 32769 5)" != CD001 ]]; then
    printf '%s\t0\n' "${1}"
    return 0
  fi
  blocks="$(read_number "${1}" 32848 4)"
  mib="$(((blocks * 2048 + 1048575) / 1048576))"
  for ((last = mib + payload_search_mib; mib <= last; mib++)); do
    if is_squashfs "${1}" "$((mib * 1048576))"; then
      printf '%s\t%s\n' "${1}" "$((mib * 1048576))"
      return 0
    fi
  done
  printf '%s\t\n' "${1}"
}

# read_text DEVICE OFFSET LENGTH
read_text() {
  { timeout --kill-after=10s 60s dd if="${SNO_ROOT}${1}" bs=1 skip="${2}" count="${3}" status=none 2>/dev/null || true; } | tr --delete '\0'
}

# read_number DEVICE OFFSET LENGTH: a little-endian number; 0 if it cannot be read.
read_number() {
  local number
  number="$(timeout --kill-after=10s 60s od --address-radix=n --endian=little --format="u${3}" --skip-bytes="${2}" --read-bytes="${3}" \
    "${SNO_ROOT}${1}" 2>/dev/null | tr --delete ' ')" || number=0
  printf '%s\n' "${number:-0}"
}

# is_squashfs DEVICE OFFSET
is_squashfs() { [[ "$(read_text "${1}" "${2}" 4)" == hsqs ]]; }

# squashfs_bytes DEVICE OFFSET: the padded size. Source: Linux fs/squashfs/squashfs_fs.h, bytes_used at byte 40
squashfs_bytes() { printf '%s\n' "$((($(read_number "${1}" "$((${2} + 40))" 8) + 4095) / 4096 * 4096))"; }

# check_payload_at DEVICE OFFSET: prints a finding and returns 1 or a number of judge_place if the payload does not begin there.
check_payload_at() {
  local size
  if [[ -z "${2}" ]]; then
    echo 'an ISO without a payload behind it'
    return 1
  fi
  if ! is_squashfs "${1}" "${2}"; then
    echo 'no payload'
    return 1
  fi
  size="$(squashfs_bytes "${1}" "${2}")"
  if [[ "${size}" != "${SNO_PAYLOAD_BYTES}" ]]; then
    echo "a file system of ${size} bytes, which is another payload"
    return "${is_other}"
  fi
  size="$(timeout --kill-after=10s 30s blockdev --getsize64 "${SNO_ROOT}${1}")" || size=0
  if ((size < ${2} + SNO_PAYLOAD_BYTES)); then
    echo "the payload is cut off: the device has ${size} bytes"
    return "${is_damaged}"
  fi
}

# mount_payload DEVICE OFFSET: mounts it if it is the payload of the configuration; otherwise prints a finding and returns 1 or a number
# of judge_place.
mount_payload() {
  local loop finding status="${is_damaged}"
  if ! loop="$(timeout --kill-after=10s 60s losetup --find --show --read-only --offset "${2}" --sizelimit "${SNO_PAYLOAD_BYTES}" \
    "${SNO_ROOT}${1}" 2>&1)"; then
    echo "the payload cannot be used: ${loop//$'\n'/ }"
    return 1
  fi
  mkdir --parents "${payload_dir}"
  if ! finding="$(timeout --kill-after=10s 60s mount --types squashfs --options ro,nodev,nosuid "${loop}" "${payload_dir}" 2>&1)"; then
    finding="the payload cannot be mounted: ${finding//$'\n'/ }"
  elif finding="$(check_contents "${1}" "${2}" "${loop}")"; then
    keep "${payload_loop}" "${loop}"
    keep "${payload_source}" "${1}"$'\t'"${2}"
    return 0
  else
    status="${?}"
  fi
  unmount "${loop}"
  printf '%s\n' "${finding}"
  return "${status}"
}

# check_contents DEVICE OFFSET LOOP: the list of images is that of the configuration; with verify Full also the whole file.
check_contents() {
  local sum
  if ! sum="$(timeout --kill-after=10s 60s sha256sum "${payload_dir}/payload.json" 2>&1)"; then
    echo "it cannot be read: ${sum//$'\n'/ }"
    return "${is_damaged}"
  fi
  if [[ "${sum%% *}" != "${SNO_PAYLOAD_MANIFEST_SHA256}" ]]; then
    echo "its payload.json is another one (SHA-256 ${sum%% *}, wanted ${SNO_PAYLOAD_MANIFEST_SHA256})"
    return "${is_other}"
  fi
  if [[ "${SNO_PAYLOAD_VERIFY}" != Full ]]; then return 0; fi
  log "computing the SHA-256 of the payload"
  sum="$(timeout --kill-after=30s 6h sha256sum "${3}" 2>/dev/null)" || sum=
  if [[ "${sum%% *}" == "${SNO_PAYLOAD_SHA256}" ]]; then return 0; fi
  condemn "${1}" "${2}" "${sum%% *}"
  return "${was_judged}"
}

# medium_answers: the medium of the payload can be read, past the memory of the kernel.
medium_answers() {
  local device offset
  IFS=$'\t' read -r device offset <"${payload_source}" || return 1
  timeout --kill-after=10s 60s dd if="${SNO_ROOT}${device}" of=/dev/null bs=4096 count=1 skip="${offset}" iflag=skip_bytes,direct \
    status=none 2>/dev/null
}

# announce_source ISSUE: shows which disk has the payload. The notice is no problem, so it is not red.
announce_source() {
  local device offset
  IFS=$'\t' read -r device offset <"${payload_source}"
  log "images come from the payload ${SNO_PAYLOAD_NAME} on ${device} at byte ${offset}"
  keep "${SNO_ISSUE_DIR}/${1}.issue" "Images come from the payload ${SNO_PAYLOAD_NAME} on ${device}."
  reload_prompts
}

# unmount LOOP
unmount() {
  if is_mounted; then
    timeout --kill-after=10s 1m umount "${payload_dir}" >&2 || timeout --kill-after=10s 1m umount --lazy "${payload_dir}" >&2 || true
  fi
  timeout --kill-after=10s 1m losetup --detach "${1}" >&2 || true
}
