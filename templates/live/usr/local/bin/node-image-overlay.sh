#!/usr/bin/env bash
# Lays the node's operating system files over the running system. The kernel and its modules stay those that were booted.
#
# When:   node-image-overlay.service, after node-image-pull.service; it then goes on to multi-user.target.
# Writes: /usr is covered by a read-only mount of the image's, /etc gets the image's files, SELinux the image's policy.
# Stops:  1 when the image is not laid out within an hour; systemd starts it again.
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

# With FIPS the crypto policies of /etc are mounts, which cannot be written over.
merge_etc() {
  local excluded=()
  if [[ "${SNO_FIPS}" == 1 ]]; then excluded=(--exclude=/crypto-policies); fi
  timeout --kill-after=30s 10m rsync --archive "${excluded[@]}" "${node_checkout}/usr/etc/" "${SNO_ETC}/"
}

main
