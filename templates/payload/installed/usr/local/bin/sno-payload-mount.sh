#!/usr/bin/env bash
# Mounts the payload of the installation disk as the folder of the registry.
#
# When:   sno-payload-mount.service on the installed node, before iri-registry.service:
#         sno-payload-mount.sh plain|overlay
#         plain is read-only. overlay accepts the files of other releases and labels of SELinux: the registry of the machine-config
#         operator relabels its folder, which a read-only file system refuses.
# Writes: mounts /var/lib/iri-registry; with overlay, /var/lib/sno-payload for changes.
# Stops:  1 if the disk of the system has no partition sno-payload.
set -Eeuo pipefail

SNO_ROOT="${SNO_ROOT:-}"
registry_dir="${SNO_ROOT}/var/lib/iri-registry"
lower_dir="${SNO_ROOT}/run/sno-payload"
changes_dir="${SNO_ROOT}/var/lib/sno-payload"
payload_label=sno-payload

main() {
  local partition options
  if timeout --kill-after=10s 30s mountpoint --quiet "${registry_dir}"; then return 0; fi
  partition="$(payload_partition)"
  if [[ -z "${partition}" ]]; then
    echo "the disk of this system has no partition ${payload_label}: the registry of the payload cannot start" >&2
    exit 1
  fi
  mkdir --parents "${registry_dir}"
  if [[ "${1:-}" != overlay ]]; then
    timeout --kill-after=10s 1m mount --types squashfs --options ro,nodev,nosuid "${partition}" "${registry_dir}"
    return 0
  fi
  mkdir --parents "${lower_dir}" "${changes_dir}/upper" "${changes_dir}/work"
  if ! timeout --kill-after=10s 30s mountpoint --quiet "${lower_dir}"; then timeout --kill-after=10s 1m mount --types squashfs --options ro,nodev,nosuid "${partition}" "${lower_dir}"; fi
  options="lowerdir=${lower_dir},upperdir=${changes_dir}/upper,workdir=${changes_dir}/work"
  # With a context for the whole mount, relabeling is not supported, which podman accepts.
  if [[ -e /sys/fs/selinux/enforce ]]; then options+=',context=system_u:object_r:container_file_t:s0'; fi
  timeout --kill-after=10s 1m mount --types overlay --options "${options}" sno-payload "${registry_dir}"
}

# payload_partition: prints the partition with the label on the disks below the root file system; another disk or USB stick may have
# the same label.
payload_partition() {
  local root disk
  root="$(source_of "${SNO_SYSROOT:-/sysroot}" || source_of /)"
  while read -r disk; do
    timeout --kill-after=10s 30s lsblk --noheadings --list --paths --output=NAME,PARTLABEL "${disk}" |
      awk -v label="${payload_label}" '$2 == label { print $1; exit }'
  done < <(timeout --kill-after=10s 30s lsblk --inverse --noheadings --list --paths --output=NAME,TYPE "${root}" |
    awk '$2 == "disk" || $2 == "loop" { print $1 }' | sort --unique) |
    head --lines=1
}

# source_of FOLDER: the device that is mounted there.
source_of() { timeout --kill-after=10s 30s findmnt --noheadings --nofsroot --output=SOURCE "${1}"; }

main "${@}"
