#!/usr/bin/env bash
# Restores etcd from the snapshot on the disk before etcd starts for the first time on this node.
#
# When:   sno-etcd-restore.service on the installed node, before the kubelet; again at each boot until the post-reboot script
#         has removed it.
# Writes: /var/lib/etcd/member, in one step (rename); a marker.
# Stops:  1 if the snapshot is damaged, the etcd image cannot be pulled or the restore fails. Then the kubelet does not start
#         and the console shows the reason. An existing member in the data folder is kept.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR/../../../usr/local/bin source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
# shellcheck source-path=SCRIPTDIR/../../../usr/local/bin source=sno-etcd.sh
source "${SNO_BIN_DIR}/sno-etcd.sh"

issue=70_sno-etcd-restore
data_dir="${SNO_ETCD_DATA_DIR:-${SNO_ROOT}/var/lib/etcd}"
# On the same file system as the data folder, so that the rename is atomic.
restored_dir="${data_dir}/restored"
pull_limit_seconds=3600
node_auth_file="${SNO_ROOT}/var/lib/kubelet/config.json"

main() {
  record_begin
  run_stage etcd-restore restore
  clear_issue "${issue}"
}

# refuse MESSAGE
refuse() {
  announce_issue "${issue}" "etcd cannot be restored, the kubelet waits: ${1}"
  fail "${1}"
}

restore() {
  if [[ -e "${data_dir}/member" ]]; then
    log "${data_dir} has a member already: it is left as it is"
    return 0
  fi
  unpack_snapshot || refuse 'the snapshot of etcd is damaged'
  pull_etcd_image
  restore_into_new_folder
  put_in_place
}

pull_etcd_image() {
  local image
  # The machine-config operator puts the pull secret there. Source: machine-config-operator, master-storage kubelet config
  if [[ -r "${node_auth_file}" ]]; then SNO_AUTH_FILE="${node_auth_file}"; fi
  image="$(described .snapshot.etcdImage)"
  pull_image "${image}" "${pull_limit_seconds}" announce_pull_failure || refuse 'the etcd image cannot be pulled'
}

# announce_pull_failure REASON
announce_pull_failure() { announce_issue "${issue}" "The etcd image cannot be pulled yet: ${1##*$'\n'}"; }

# The restored member needs the name and address of the etcd that was snapshotted: its certificates and the cluster's objects
# contain them.
restore_into_new_folder() {
  local image tool name peer_url token
  image="$(described .snapshot.etcdImage)"
  name="$(described .member.name)"
  peer_url="$(described .member.peerURL)"
  token="$(described .member.initialClusterToken)"
  tool="$(etcd_file_tool "${image}")" || refuse 'the etcd image has no tool to restore with'
  mkdir --parents "${data_dir}"
  rm --recursive --force "${restored_dir}"
  etcd_tool "${image}" "${tool}" --net=none --volume="${data_dir}:/var/lib/etcd" -- \
    snapshot restore "/snapshot/$(basename "${snapshot_file}")" --data-dir=/var/lib/etcd/restored \
    --name="${name}" --initial-cluster="${name}=${peer_url}" --initial-advertise-peer-urls="${peer_url}" \
    --initial-cluster-token="${token}" >&2 || refuse 'the restore of the snapshot failed'
}

put_in_place() {
  chown --recursive root:root "${restored_dir}"
  chmod --recursive go-rwx "${restored_dir}"
  chmod 0700 "${data_dir}" "${restored_dir}/member"
  sync --file-system "${restored_dir}"
  mv --no-target-directory "${restored_dir}/member" "${data_dir}/member"
  rm --recursive --force "${restored_dir}" "${snapshot_file}"
  if command -v restorecon >/dev/null; then timeout --kill-after=10s 10m restorecon -R "${data_dir}"; fi
}

main
