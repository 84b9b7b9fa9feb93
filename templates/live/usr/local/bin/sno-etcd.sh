#!/usr/bin/env bash
# The snapshot of etcd: where it lies, what its description says, and the etcd tools of the payload to handle it.
#
# When:   sourced after sno-common.sh, by bootstrap-in-place.sh (takes it) and sno-etcd-restore.sh (brings it back).
# Writes: nothing by itself; the tools write below ${SNO_SNAPSHOT_DIR} and the folders they are given.
# Stops:  nothing; each function fails with a message.

SNO_SNAPSHOT_DIR="${SNO_SNAPSHOT_DIR:-${SNO_HOME}/etcd-snapshot}"
snapshot_file="${SNO_SNAPSHOT_DIR}/snapshot.db"
snapshot_archive="${SNO_SNAPSHOT_DIR}/snapshot.db.gz"
snapshot_description="${SNO_SNAPSHOT_DIR}/snapshot.json"
# A snapshot of a new cluster is some 100 MB: what takes longer than this hangs.
etcd_tool_limit=10m

# etcd_tool IMAGE PROGRAM [PODMAN_OPTION…] -- [ARG…]: runs a program of the etcd image with the snapshot at /snapshot. SELinux
# labels are switched off for the container instead of changed on the host. A container outlives the service that started it: the
# name ends the one of a run that was killed, before two write the same file.
etcd_tool() {
  local image="${1}" program="${2}" options=()
  shift 2
  while [[ "${1}" != -- ]]; do
    options+=("${1}")
    shift
  done
  timeout --kill-after=30s "${etcd_tool_limit}" podman run --quiet --rm --replace --name=etcd-tool \
    --log-driver=none --user=0 --security-opt=label=disable --volume="${SNO_SNAPSHOT_DIR}:/snapshot" "${options[@]}" \
    --entrypoint="${program}" "${image}" "${@:2}"
}

# etcd_client IMAGE [ARG…]: etcdctl against the etcd that runs on this machine.
etcd_client() {
  etcd_tool "${1}" etcdctl --net=host --volume="${SNO_HOME}/tls:/tls:ro" -- \
    --endpoints=https://localhost:2379 --dial-timeout=30s --command-timeout=5m \
    --cacert=/tls/etcd-ca-bundle.crt --cert=/tls/etcd-client.crt --key=/tls/etcd-client.key "${@:2}"
}

# etcd_file_tool IMAGE: prints which program of the image works on snapshot files. Source: etcd 3.5 moved `snapshot status`
# and `snapshot restore` from etcdctl to etcdutl, 3.6 removed them from etcdctl.
etcd_file_tool() {
  local found
  found="$(etcd_tool "${1}" sh --net=none -- -c 'command -v etcdutl || command -v etcdctl')" ||
    fail "the etcd image ${1} has neither etcdutl nor etcdctl" || return 1
  basename "${found}"
}

# snapshot_status IMAGE: prints hash, revision, totalKey and totalSize of the snapshot as JSON.
snapshot_status() {
  local tool
  tool="$(etcd_file_tool "${1}")" || return 1
  etcd_tool "${1}" "${tool}" --net=none -- snapshot status "/snapshot/$(basename "${snapshot_file}")" --write-out=json
}

# described FILTER: prints what the snapshot's description says; fails when it says nothing. jq 1.6 takes an empty file for a
# success, unless it reads it whole.
described() {
  jq --slurp --raw-output --exit-status ".[0] | ${1} // empty" "${snapshot_description}" ||
    fail "${snapshot_description} does not say ${1}"
}

# describe FILTER [JQ_OPTION…]: changes the description; the file is replaced whole.
describe() {
  local text
  text="$(jq "${@:2}" "${1}" "${snapshot_description}")" || return 1
  (umask 077 && keep "${snapshot_description}" "${text}")
}

# pack_snapshot: compresses the snapshot. The recorded hash is that of the uncompressed file; what the archive gives back is
# compared with it before the original goes.
pack_snapshot() {
  local expected
  expected="$(described .snapshot.sha256)" || return 1
  (umask 077 && gzip --best --no-name --stdout "${snapshot_file}" >"${snapshot_archive}.new") || return 1
  [[ "$(gzip --decompress --stdout "${snapshot_archive}.new" | sha256_of)" == "${expected}" ]] ||
    fail 'the compressed snapshot of etcd does not give back the snapshot' || return 1
  # The caller uses the status, which switches `set -e` off: without the archive in place the snapshot stays.
  mv --force "${snapshot_archive}.new" "${snapshot_archive}" || return 1
  rm --force "${snapshot_file}"
}

# unpack_snapshot: the snapshot again, if it is the one that was recorded.
unpack_snapshot() {
  local expected
  expected="$(described .snapshot.sha256)" || return 1
  (umask 077 && gzip --decompress --stdout "${snapshot_archive}" >"${snapshot_file}") ||
    fail 'the snapshot of etcd cannot be unpacked' || return 1
  [[ "$(sha256_of "${snapshot_file}")" == "${expected}" ]] ||
    fail "the SHA-256 of the snapshot of etcd is not ${expected}, which the bootstrap recorded"
}

# sha256_of FILE, or of standard input.
sha256_of() { sha256sum "${@}" | cut --delimiter=' ' --fields=1; }
