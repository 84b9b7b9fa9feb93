#!/usr/bin/env bash
# The snapshot of etcd: its path, its description, and the etcd tools of the payload for it.
#
# When:   sourced after sno-common.sh, by bootstrap-in-place.sh (takes it) and sno-etcd-restore.sh (restores it).
# Writes: nothing when sourced; the tools write below ${SNO_SNAPSHOT_DIR} and the given folders.
# Stops:  nothing; each function fails with a message.

SNO_SNAPSHOT_DIR="${SNO_SNAPSHOT_DIR:-${SNO_HOME}/etcd-snapshot}"
snapshot_file="${SNO_SNAPSHOT_DIR}/snapshot.db"
snapshot_archive="${SNO_SNAPSHOT_DIR}/snapshot.db.gz"
snapshot_description="${SNO_SNAPSHOT_DIR}/snapshot.json"
# A snapshot of a new cluster has about 100 MB; a tool that takes longer hangs.
etcd_tool_limit=10m

# etcd_tool IMAGE PROGRAM [PODMAN_OPTION…] -- [ARG…]: runs a program of the etcd image with the snapshot folder as /snapshot. SELinux
# labels are disabled for the container instead of changed on the host. A container outlives a killed service; the fixed name removes
# it before two write the same file.
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

# etcd_client IMAGE [ARG…]: etcdctl for the etcd of this machine.
etcd_client() {
  etcd_tool "${1}" etcdctl --net=host --volume="${SNO_HOME}/tls:/tls:ro" -- \
    --endpoints=https://localhost:2379 --dial-timeout=30s --command-timeout=5m \
    --cacert=/tls/etcd-ca-bundle.crt --cert=/tls/etcd-client.crt --key=/tls/etcd-client.key "${@:2}"
}

# etcd_file_tool IMAGE: prints the program of the image that handles snapshot files. Source: etcd 3.5 moved `snapshot status`
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

# described FILTER: prints a value of the snapshot's description; fails if it is missing. jq 1.6 exits with 0 for an empty file unless it
# reads the whole file at once.
described() {
  jq --slurp --raw-output --exit-status ".[0] | ${1} // empty" "${snapshot_description}" ||
    fail "${snapshot_description} has no ${1}"
}

# describe FILTER [JQ_OPTION…]: changes the description; the file is replaced atomically.
describe() {
  local text
  text="$(jq "${@:2}" "${1}" "${snapshot_description}")" || return 1
  (umask 077 && keep "${snapshot_description}" "${text}")
}

# pack_snapshot: compresses the snapshot. The recorded hash is that of the uncompressed file; the decompressed archive is compared with
# it before the original is deleted.
pack_snapshot() {
  local expected
  expected="$(described .snapshot.sha256)" || return 1
  (umask 077 && gzip --best --no-name --stdout "${snapshot_file}" >"${snapshot_archive}.new") || return 1
  [[ "$(gzip --decompress --stdout "${snapshot_archive}.new" | sha256_of)" == "${expected}" ]] ||
    fail 'the compressed snapshot of etcd does not decompress to the snapshot' || return 1
  # The caller tests the status, which disables `set -e`: without the archive the snapshot must stay.
  mv --force "${snapshot_archive}.new" "${snapshot_archive}" || return 1
  rm --force "${snapshot_file}"
}

# unpack_snapshot: decompresses the snapshot and compares its hash with the recorded one.
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
