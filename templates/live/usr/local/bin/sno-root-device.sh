#!/usr/bin/env bash
# Finds the installation disk: by its path, or by rootDeviceHints of sno-config.yaml. Remembers the first disk that passed all checks, so
# that no other disk is written later in this boot.
#
# When:   sourced by sno-preflight-disk.sh.
# Writes: installation-disk.json in ${SNO_RUN_DIR}, which is gone after the next boot.
# Stops:  nothing.

# kernel name, size, serial number, World Wide Name and sequence number of the disk
known_disk="${SNO_RUN_DIR}/installation-disk.json"

# locate_disk: sets disk to the path of the installation disk, with hints to its kernel name. Prints a finding and returns 1 unless
# exactly one disk matches the hints.
locate_disk() {
  local listing medium named matches
  disk="${SNO_INSTALLATION_DISK}"
  if [[ -z "${SNO_ROOT_DEVICE_HINTS:-}" ]]; then return 0; fi
  listing="$(timeout --kill-after=10s 30s lsblk --json --bytes --paths \
    --output=NAME,KNAME,TYPE,SIZE,ROTA,MODEL,VENDOR,SERIAL,WWN,HCTL 2>/dev/null)" || disks_are_unknown || return 1
  medium="$(live_medium)"
  named="$(jq --raw-output '.deviceName // ""' <<<"${SNO_ROOT_DEVICE_HINTS}")"
  if [[ -n "${named}" ]]; then named="$(device_of "${named}")"; fi
  matches="$(jq --raw-output --argjson hints "${SNO_ROOT_DEVICE_HINTS}" --arg medium "${medium}" --arg named "${named}" \
    "${disk_query}" <<<"${listing}" 2>/dev/null)" || disks_are_unknown || return 1
  disk="$(head --lines=1 <<<"${matches}")"
  if [[ -n "${disk}" ]]; then return 0; fi
  tail --lines=+2 <<<"${matches}"
  return 1
}

disks_are_unknown() {
  echo 'lsblk cannot list the disks of this machine'
  return 1
}

# device_of PATH: prints the kernel's path of a device.
device_of() {
  local device
  device="$(readlink --canonicalize "${SNO_ROOT}${1}")" || device="${SNO_ROOT}${1}"
  printf '%s\n' "${device#"${SNO_ROOT}"}"
}

live_medium() {
  timeout --kill-after=10s 30s findmnt --noheadings --output=SOURCE "${SNO_LIVE_MEDIUM_DIR}" 2>/dev/null || true
}

# Prints the kernel name of the disk in the first line if exactly one matches; otherwise an empty line, a sentence and a table of the
# disks. A multipath device also has the values of its paths; the paths are not listed as disks.
# Source: devicehints of metal3-io/baremetal-operator, device_hints.py of openstack/ironic-python-agent, which ignores case and blanks at
# both ends. lsblk's WWN is udev's ID_WWN_WITH_EXTENSION: 16 digits and, if any, the 16 of the vendor (systemd src/udev/scsi_id).
# shellcheck disable=SC2016 # Variables of jq.
disk_query='
  def text: if . == null then "" else tostring | gsub("[^ -~]"; "?") | sub("^ +"; "") | sub(" +$"; "") end;
  def values(field): [(., .paths[]?) | field | text | select(. != "")] | unique;
  def equals($wanted): ascii_downcase == ($wanted | text | ascii_downcase);
  def holds($wanted): ascii_downcase | contains($wanted | text | ascii_downcase);
  def number: if . == null then 0 else tonumber end;
  def flag: . == true or . == 1 or . == "1" or . == "true";
  def is_long: test("^0x[0-9A-Fa-f]{32}$");
  def fits($name; $wanted):
    if $name == "deviceName" then any(., .paths[]?; .kname == $named or .name == $wanted)
    elif $name == "hctl" then any(values(.hctl)[]; equals($wanted))
    elif $name == "model" then any(values(.model)[]; holds($wanted))
    elif $name == "vendor" then any(values(.vendor)[]; holds($wanted))
    elif $name == "serialNumber" then any(values(.serial)[]; equals($wanted))
    elif $name == "minSizeGigabytes" then (.size | number) >= $wanted * 1000000000
    elif $name == "wwn" then any(values(.wwn)[]; equals($wanted) or (is_long and (.[:18] | equals($wanted))))
    elif $name == "wwnWithExtension" then any(values(.wwn)[]; equals($wanted))
    elif $name == "wwnVendorExtension" then any(values(.wwn)[]; is_long and ("0x" + .[18:] | equals($wanted)))
    elif $name == "rotational" then (.rota | flag) == $wanted
    else false end;
  def exclusions:
    ([.children[]? | select(.type == "mpath") | .name] | first) as $mpath
    | if $mpath != null then ["path of \($mpath)"]
      elif any(recurse(.children[]?); .name == $medium or .kname == $medium) then ["boot medium"]
      elif (.size | number) == 0 then ["no medium"]
      else . as $disk | [$hints | to_entries[] | select(.key as $key | .value as $value | $disk | fits($key; $value) | not) | .key] end;
  def row: [
    .kname, "\((.size | number) / 1000000000 | floor) GB", (values(.model), values(.vendor), values(.serial), values(.wwn), values(.hctl)
      | if length == 0 then "-" else join(",") end),
    (if .rota | flag then "yes" else "no" end),
    (exclusions | if length == 0 then "-" else join(", ") end)];
  def aligned:
    . as $rows | [range($rows[0] | length)] as $columns
    | ($columns | map(. as $column | $rows | map(.[$column] | length) | max)) as $widths
    | $rows[] | . as $row | [$columns[] | . as $column | $row[$column] + ($widths[$column] - ($row[$column] | length)) * " "]
    | "  " + join("  ") | sub(" +$"; "");
  [.blockdevices[]? | recurse(.children[]?)] as $all
  | [$all[] | select(.type == "disk" or .type == "mpath" or (.type // "" | startswith("raid")))
      | .kname = (.kname // .name) | select(.kname | test("^/dev/z?ram[0-9]") | not)]
  | unique_by(.kname)
  | map(. as $disk | .paths = if .type == "mpath"
      then [$all[] | select(any(.children[]?; .type == "mpath" and .kname == $disk.kname))] | unique_by(.kname)
      else [] end)
  | map(select(exclusions == []) | .kname) as $matches
  | ($hints | to_entries | map("\(.key) \(.value | text)") | join(", ")) as $wanted
  | if ($matches | length) == 1 then $matches[0]
    else "",
      if ($matches | length) == 0 then "no disk of this machine matches rootDeviceHints (\($wanted)); its disks are:"
      else "\($matches | length) disks of this machine match rootDeviceHints (\($wanted)), which must describe one; its disks are:" end,
      ([["NAME", "SIZE", "MODEL", "VENDOR", "SERIAL", "WWN", "HCTL", "ROTATIONAL", "EXCLUDED BY"]] + map(row) | aligned)
    end'

# check_disk_is_known DISK IDENTITY: the disk is the one that passed the checks earlier in this boot. A value that the kernel reports
# only later is no difference.
check_disk_is_known() {
  local known
  if [[ ! -s "${known_disk}" ]]; then return 0; fi
  known="$(<"${known_disk}")"
  if jq --exit-status --null-input --argjson one "${known}" --argjson other "${2}" '
    all($one | keys[]; . as $key | $one[$key] == $other[$key] or $one[$key] == "" or $other[$key] == "")' >/dev/null; then
    return 0
  fi
  echo "the installation disk is now ${1} ($(shown_identity "${2}")), but was another one earlier in this boot" \
    "($(shown_identity "${known}")): if it is the right one, run 'sudo rm ${known_disk#"${SNO_ROOT}"}'"
  return 1
}

shown_identity() {
  jq --raw-output '"\(.name), \(.size) bytes, serial number \(if .serial == "" then "unknown" else .serial end)"' <<<"${1}"
}

# remember_disk IDENTITY: keeps the first one.
remember_disk() {
  if [[ ! -s "${known_disk}" ]]; then keep "${known_disk}" "${1}"; fi
}
