#!/usr/bin/env bash
# Checks of the installation disk. Each check prints one sentence and returns 1 if something is wrong; otherwise it prints nothing and
# returns 0.
#
# When:   sourced after sno-common.sh and sno-etcd.sh, by sno-preflight.sh (warns), by bootkube.sh before the bootstrap and by
#         install-to-disk.sh before anything is written.
# Writes: the file of sno-root-device.sh.
# Stops:  nothing.

# Source: OpenShift documentation, requirements for a single node: 120 GB
SNO_MINIMUM_DISK_GB="${SNO_MINIMUM_DISK_GB:-100}"
# Mount point of the boot medium in the live system. Source: fedora-coreos-config, live-generator
SNO_LIVE_MEDIUM_DIR="${SNO_LIVE_MEDIUM_DIR:-${SNO_ROOT}/run/media/iso}"
# An operator who wants to install this cluster once more creates this file; the configuration can do it too.
reinstall_permission="${SNO_HOME}/reinstall-allowed"
reinstall="${SNO_REINSTALL:-Refuse}"
is_taken_down=no

# shellcheck source-path=SCRIPTDIR source=sno-root-device.sh
source "${SNO_BIN_DIR}/sno-root-device.sh"
# shellcheck source-path=SCRIPTDIR source=sno-saved-partitions.sh
source "${SNO_BIN_DIR}/sno-saved-partitions.sh"

# check_installation_disk: finds the disk and makes all checks. A disk that passes is remembered.
check_installation_disk() {
  local disk
  locate_disk || return 1
  check_disk "${disk}"
}

# check_disk DISK: all checks; later ones depend on earlier ones.
check_disk() {
  local tree type is_read_only is_medium gigabytes uuid table_type identity
  check_disk_path "${1}" || return 1
  read_disk "${1}" || not_a_disk "${1}" || return 1
  check_disk_is_known "${1}" "${identity}" || return 1
  check_disk_kind "${1}" "${type}" "${is_read_only}" || return 1
  check_disk_is_not_live_medium "${1}" "${is_medium}" || return 1
  check_disk_size "${1}" "${gigabytes}" || return 1
  check_disk_is_free "${1}" "${tree}" || return 1
  check_disk_holds_another "${1}" "${uuid}" || return 1
  check_saved_partitions "${1}" "${table_type}" || return 1
  remember_disk "${identity}"
}

# disk_to_write: prints the kernel name of the installation disk, if it is still the one that passed the checks; otherwise a finding.
disk_to_write() {
  local disk tree type is_read_only is_medium gigabytes uuid table_type identity
  locate_disk || return 1
  read_disk "${disk}" || not_a_disk "${disk}" || return 1
  check_disk_is_known "${disk}" "${identity}" || return 1
  jq --raw-output .name <<<"${identity}"
}

check_disk_path() {
  if [[ ! "${1}" =~ ^/dev/[^[:space:]]+$ ]]; then
    echo "the installation disk must be one path below /dev, not '${1}'"
    return 1
  fi
  if [[ ! -e "${SNO_ROOT}${1}" ]]; then
    echo "the installation disk ${1} does not exist; this machine has: $(disks_of_machine)"
    return 1
  fi
}

# disks_of_machine: candidates for installationDisk.
disks_of_machine() {
  { timeout --kill-after=10s 30s lsblk --nodeps --noheadings --paths --output=NAME,SIZE,TYPE 2>/dev/null || true; } |
    awk '$3 == "disk" { printf "%s%s (%s)", gap, $1, $2; gap = ", " }'
}

# read_disk DISK: sets tree (lsblk's view of the disk) and the variables of the checks: type, is_read_only, is_medium (the boot medium),
# gigabytes, uuid and table_type (of the partition table) and identity, for check_disk_is_known. Follows a link by ID. Fails if it is
# not a block device.
read_disk() {
  local device medium facts sequence
  device="$(device_of "${1}")"
  tree="$(timeout --kill-after=10s 30s lsblk --json --bytes --paths \
    --output=NAME,KNAME,TYPE,SIZE,RO,MOUNTPOINT,PTUUID,PTTYPE,SERIAL,WWN "${device}" 2>/dev/null)" || return 1
  medium="$(live_medium)"
  # Increases with every disk that appears. Source: Linux, Documentation/ABI/stable/sysfs-block
  sequence="$(cat "${SNO_ROOT}/sys/class/block/${device##*/}/diskseq" 2>/dev/null || true)"
  facts="$(jq --slurp --raw-output --exit-status --arg medium "${medium}" --arg sequence "${sequence}" '.[0].blockdevices[0] | objects
    | (.ptuuid // "" | ascii_downcase), .type, (.ro | tostring | . == "1" or . == "true" | tostring),
      (any(.. | objects; .name == $medium) | tostring), (.size | tonumber? // 0 | . / 1e9 | floor), (.pttype // ""),
      ({ name: (.kname // .name), size: (.size | tostring), serial: (.serial // ""), wwn: (.wwn // ""), sequence: $sequence }
        | map_values(gsub("[^ -~]"; "?") | sub(" +$"; "")) | tojson)' <<<"${tree}")" || return 1
  # shellcheck disable=SC2034 # The caller's.
  {
    read -r uuid && read -r type && read -r is_read_only && read -r is_medium && read -r gigabytes && read -r table_type &&
      read -r identity
  } <<<"${facts}"
}

not_a_disk() {
  echo "the installation disk ${1} is not a block device"
  return 1
}

# check_disk_kind DISK TYPE IS_READ_ONLY
check_disk_kind() {
  case "${2}" in
    disk | mpath | raid*) ;;
    *)
      echo "the installation disk ${1} is not a whole disk (its type is ${2})"
      return 1
      ;;
  esac
  if [[ "${3}" == true ]]; then
    echo "the installation disk ${1} is read-only"
    return 1
  fi
}

# check_disk_is_not_live_medium DISK IS_MEDIUM
check_disk_is_not_live_medium() {
  if [[ "${2}" == true ]]; then
    echo "the installation disk ${1} is the medium that this system was booted from"
    return 1
  fi
}

# check_disk_size DISK GIGABYTES
check_disk_size() {
  if ((${2} < SNO_MINIMUM_DISK_GB)); then
    echo "the installation disk ${1} has ${2} GB; the cluster needs ${SNO_MINIMUM_DISK_GB} GB"
    return 1
  fi
}

# check_disk_is_free DISK TREE: nothing would make the write fail or be destroyed by it: a mounted file system, active swap, or LVM, RAID,
# multipath or encryption. What install-to-disk.sh may deactivate is a finding only after it has tried.
check_disk_is_free() {
  local saved='' holders
  if [[ "${is_taken_down}" == no ]]; then
    if [[ "${reinstall}" == Always ]]; then return 0; fi
    saved="$(saved_numbers "${1}")"
  fi
  holders="$(jq --raw-output --arg saved "${saved}" '.blockdevices[0]
    | ([.. | objects | select(has("name") and .mountpoint != null) | "\(.name) is mounted at \(.mountpoint)"]
      + [.children[]? | select(.type != "part" or $saved == "" or (.name | test("[^0-9](\($saved))$") | not))
        | .. | objects | select(has("type") and .type != "part") | "\(.name) (\(.type)) is active on it"]
      | join(", "))' <<<"${2}")"
  if [[ -n "${holders}" ]]; then
    echo "the installation disk ${1} is in use: ${holders}"
    return 1
  fi
}

# take_down DISK: deactivates what would keep coreos-installer from writing, innermost first: with reinstall Always everything on the
# disk, else LVM, RAID and encryption on partitions that are kept, if no file system there is mounted. Their data remains. The rest is a
# finding of check_disk_is_free.
take_down() {
  local tree type is_read_only is_medium gigabytes uuid table_type identity name mountpoint
  is_taken_down=yes
  read_disk "${1}" && [[ "${is_medium}" == false ]] || return 0
  while IFS=$'\t' read -r type name mountpoint; do
    if [[ "${mountpoint}" == '[SWAP]' ]]; then
      timeout --kill-after=10s 5m swapoff "${name}" >&2 || true
    elif [[ "${mountpoint}" != - ]]; then
      timeout --kill-after=10s 1m umount "${name}" >&2 || true
    fi
    case "${type}" in
      lvm | crypt) timeout --kill-after=10s 1m dmsetup remove --retry "${name}" >&2 || true ;;
      raid*) timeout --kill-after=10s 1m mdadm --stop "${name}" >&2 || true ;;
    esac
  done < <(active_on "${tree}" "$(saved_numbers "${1}")")
}

# active_on TREE NUMBERS: prints kind, name and mount point (- for none) of everything that take_down deactivates, innermost first, each
# once. NUMBERS are those of the partitions that are kept, separated by |.
active_on() {
  jq --raw-output --arg reinstall "${reinstall}" --arg saved "${2}" '
    def inner: (.children[]? | inner), (.children[]? | "\(.type)\t\(.name)\t\(.mountpoint // "-")");
    .blockdevices[0]
    | if $reinstall == "Always" then inner
      else .children[]? | select(.type == "part" and $saved != "" and (.name | test("[^0-9](\($saved))$")))
        | select([.. | objects | .mountpoint] | all(. == null)) | inner end' <<<"${1}" |
    awk '!seen[$0]++'
}

# install-to-disk.sh marks the disk with the cluster's ID. If the mark is there, the firmware booted the live medium again instead of the
# disk: another installation would destroy the cluster.
#
# check_disk_holds_another DISK UUID
check_disk_holds_another() {
  local cluster
  if [[ -e "${reinstall_permission}" || "${reinstall}" != Refuse ]]; then return 0; fi
  cluster="$(described .clusterID 2>/dev/null)" || return 0
  if [[ "${2}" == "${cluster,,}" ]]; then
    echo "the installation disk ${1} holds an installation of this cluster: put it before this medium in the boot order," \
      "or run 'sudo touch ${reinstall_permission#"${SNO_ROOT}"}' to overwrite it"
    return 1
  fi
}
