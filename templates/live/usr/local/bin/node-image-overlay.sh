#!/usr/bin/env bash
# Mounts the node's operating system files over the running system. The booted kernel and its modules stay.
#
# When:   node-image-overlay.service, after node-image-pull.service; the boot then continues to multi-user.target.
# Writes: /usr gets a read-only mount of the image's /usr, /etc the image's files, SELinux the image's policy.
# Stops:  1 if the image is not checked out within an hour; systemd starts it again.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"

node_checkout="${SNO_ROOT}/var/ostreecontainer/checkout"

main() {
  record_begin
  run_always wait-for-node-image wait_until 'the operating system image (see: journalctl --unit node-image-pull)' 3900 5 \
    stage_is_done node-image-pull
  run_stage node-image-modules mount_over bind "${SNO_ROOT}/usr/lib/modules" "${node_checkout}/usr/lib/modules"
  run_stage node-image-usr mount_over rbind "${node_checkout}/usr" "${SNO_ROOT}/usr"
  run_stage node-image-etc merge_etc
  run_stage node-image-policy timeout --kill-after=30s 10m semodule --reload
}

# mount_over KIND WHAT WHERE
mount_over() { timeout --kill-after=30s 1m mount --options="${1},ro" "${2}" "${3}"; }

# With FIPS the crypto policies of /etc are mounts and cannot be overwritten.
merge_etc() {
  local excluded=()
  if [[ "${SNO_FIPS}" == 1 ]]; then excluded=(--exclude=/crypto-policies); fi
  timeout --kill-after=30s 10m rsync --archive "${excluded[@]}" "${node_checkout}/usr/etc/" "${SNO_ETC}/"
}

main
