#!/usr/bin/env bash
# Prepares the files for the disk: a snapshot of etcd, and one Ignition config that merges the machine-config server's answer with
# everything that the installed node needs to start.
#
# When:   bootkube.sh calls it when the cluster's manifests are applied:
#         bootstrap-in-place.sh --etcd-image IMAGE --cluster-bootstrap-image IMAGE
# Writes: below /opt/openshift: etcd-snapshot/, original-master.ign, log-bundle-bootstrap.tar.gz, bootstrap-in-place/hostname,
#         bootstrap-in-place/master-update.complete.fcc, master.ign (0600), one marker per stage. Stops etcd.
# Stops:  1 at the first stage that fails; the next start continues there. It does not touch a disk.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
# shellcheck source-path=SCRIPTDIR source=sno-checks.sh
source "${SNO_BIN_DIR}/sno-checks.sh"
# shellcheck source-path=SCRIPTDIR source=sno-etcd.sh
source "${SNO_BIN_DIR}/sno-etcd.sh"
# shellcheck source-path=SCRIPTDIR source=sno-master-ignition.sh
source "${SNO_BIN_DIR}/sno-master-ignition.sh"

etcd_image=
cluster_bootstrap_image=
kubernetes_dir="${SNO_ETC}/kubernetes"
container_limit_seconds=600
log_bundle="${SNO_HOME}/log-bundle-bootstrap.tar.gz"
# The bundle is part of the Ignition config in a small boot partition: a larger one is not carried over.
log_bundle_limit_mib=32

main() {
  umask 077
  read_arguments "${@}"
  record_begin
  run_stage etcd-snapshot take_snapshot
  run_stage stop-etcd stop_etcd
  run_stage fetch-master-ignition fetch_master_ignition
  run_stage gather-bootstrap-logs gather_logs
  run_stage master-ignition build_master_ignition "${cluster_bootstrap_image}"
  clear_issue 60_bootstrap-in-place
}

read_arguments() {
  while ((${#} >= 2)); do
    case "${1}" in
      --etcd-image) etcd_image="${2}" ;;
      --cluster-bootstrap-image) cluster_bootstrap_image="${2}" ;;
      *) break ;;
    esac
    shift 2
  done
  if ((${#} > 0)) || [[ -z "${etcd_image}" || -z "${cluster_bootstrap_image}" ]]; then
    log 'usage: bootstrap-in-place.sh --etcd-image IMAGE --cluster-bootstrap-image IMAGE'
    exit 2
  fi
}

# refuse MESSAGE: stops, and shows the message on the console too.
refuse() {
  announce_issue 60_bootstrap-in-place "The installation cannot go on, the disk is untouched: ${1}"
  fail "${1}"
}

# The API server must be stopped first: writes after the snapshot would be lost.
take_snapshot() {
  local revision
  wait_until 'the API server to stop' "${container_limit_seconds}" 5 container_is_gone kube-apiserver ||
    refuse 'the API server of the bootstrap does not stop'
  describe_member
  revision="$(etcd_client "${etcd_image}" endpoint status --write-out=json |
    jq --slurp --exit-status '.[0][0].Status.header.revision')"
  etcd_client "${etcd_image}" snapshot save "/snapshot/$(basename "${snapshot_file}")" >&2
  describe_snapshot "${revision}"
  pack_snapshot || refuse 'the snapshot of etcd cannot be compressed'
}

# The restored member needs the current name and address of etcd. The address must equal the configured one; the name is chosen by
# etcd's render.
describe_member() {
  local members promised is
  members="$(etcd_client "${etcd_image}" member list --write-out=json)"
  jq --slurp --exit-status '.[0].members | length == 1 and (.[0].peerURLs | length) == 1 and .[0].name != ""' \
    <<<"${members}" >/dev/null || refuse 'etcd does not have exactly one member with a name and one peer URL'
  promised="$(jq --raw-output '.member.peerURL // ""' "${snapshot_description}")"
  is="$(jq --raw-output '.members[0].peerURLs[0]' <<<"${members}")"
  if [[ -n "${promised}" && "${promised}" != "${is}" ]]; then
    refuse "etcd runs as ${is}, but the configuration says ${promised}"
  fi
  # shellcheck disable=SC2016 # the variables are jq's
  describe '.member.name = $etcd.members[0].name | .member.peerURL = $etcd.members[0].peerURLs[0]
    | .node = { hostname: $hostname, address: $address }' \
    --argjson etcd "${members}" --arg hostname "$(node_name)" --arg address "$(node_address)"
}

# describe_snapshot REVISION: reads the snapshot back. It must be at least as new as REVISION, the revision of etcd before the snapshot,
# and contain more than etcd's own keys, which totalKey includes: an etcd without writes is at revision 1.
describe_snapshot() {
  local status version
  status="$(snapshot_status "${etcd_image}")"
  jq --slurp --exit-status --argjson least "${1}" '.[0] | .revision > 1 and .revision >= $least' \
    <<<"${status}" >/dev/null ||
    refuse "the snapshot of etcd is empty or older than revision ${1}: ${status}"
  version="$(etcd_client "${etcd_image}" endpoint status --write-out=json | jq --raw-output '.[0].Status.version')"
  # shellcheck disable=SC2016 # the variables are jq's
  describe '.snapshot += { sha256: $sha256, sizeBytes: $status.totalSize, revision: $status.revision,
    totalKeys: $status.totalKey, etcdVersion: $version, etcdImage: $image, takenAt: $takenAt }' \
    --argjson status "${status}" --arg sha256 "$(sha256_of "${snapshot_file}")" --arg version "${version}" \
    --arg image "${etcd_image}" --arg takenAt "$(date --utc +%Y-%m-%dT%H:%M:%SZ)"
}

# Removing the manifest ends the static pod; a copy of the manifest goes to the disk.
stop_etcd() {
  local manifest="${kubernetes_dir}/manifests/etcd-member-pod.yaml"
  if [[ -e "${manifest}" ]]; then mv --force "${manifest}" "${kubernetes_dir}/etcd-member-pod.yaml"; fi
  wait_until 'etcd to stop' "${container_limit_seconds}" 5 container_is_gone etcd ||
    refuse 'etcd does not stop'
}

# container_is_gone NAME: CRI-O runs no container with exactly this name; a failed request proves nothing. A partial match would wait
# forever on a node whose host name contains the word.
container_is_gone() {
  local running
  running="$(timeout --kill-after=10s 60s crictl ps --state=Running --output=json)" &&
    jq --slurp --exit-status --arg name "${1}" '.[0].containers | type == "array" and all(.[]; .metadata.name != $name)' \
      <<<"${running}" >/dev/null
}

gather_logs() {
  if ! TAR_FILE="${log_bundle}" timeout --kill-after=30s 10m \
    "${SNO_BIN_DIR}/installer-gather.sh" --id bootstrap >&2 || [[ ! -s "${log_bundle}" ]]; then
    log 'gathering the logs of the bootstrap failed; none are copied to the disk'
    rm --force "${log_bundle}"
  elif (($(stat --format=%s "${log_bundle}") > log_bundle_limit_mib * 1024 * 1024)); then
    log "the logs of the bootstrap take more than ${log_bundle_limit_mib} MiB; none are copied to the disk"
    rm --force "${log_bundle}"
  fi
}

main "${@}"
