#!/usr/bin/env bash
# Pulls the node's operating system image of the payload and checks out its files in memory, for live systems without the kubelet,
# CRI-O and oc.
#
# When:   node-image-pull.service, in the boot that the generator redirects to node-image-overlay.target.
# Writes: /var/ostreecontainer/checkout, and temporarily /var/ostreecontainer/repo.
# Stops:  1 if the image could not be pulled within an hour, or if this is not a live system; systemd starts it again.
#
# The unit has its own mount namespace, so mounts of this script are not visible outside.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"

pull_limit_seconds=3600
node_repository="${SNO_ROOT}/var/ostreecontainer/repo"
node_checkout="${SNO_ROOT}/var/ostreecontainer/checkout"
node_ref=coreos/node-image

main() {
  record_begin
  run_always wait-for-release-image wait_until 'the release payload (see: journalctl --unit release-image)' 3900 5 \
    timeout --kill-after=10s 60s podman image exists "${SNO_RELEASE_IMAGE}"
  run_stage node-image-pull bring_node_image
}

bring_node_image() {
  local image
  # Source: this file exists in CoreOS live systems only.
  [[ -e "${SNO_ROOT}/run/ostree-live" ]] || fail 'this is not a live system: its operating system is not covered'
  image="$(node_image)"
  log "this machine gets its operating system files from ${image}"
  prepare_repository
  pull_node_image "${image}"
  name_node_image
  check_out_node_image
  # The repository is in memory, which the installation needs.
  rm --recursive --force "${node_repository:?}"
}

# node_image: prints the pull spec of the operating system image: stream-coreos in OKD, rhel-coreos or rhel-coreos-10 in OpenShift.
node_image() {
  if payload_has stream-coreos; then
    image_for stream-coreos
  elif [[ "${SNO_OS_IMAGE_STREAM}" == rhel-10 ]]; then
    image_for rhel-coreos-10
  else
    image_for rhel-coreos
  fi
}

# The system's repository is read-only: the image goes into a new one that shares the existing layers.
prepare_repository() {
  rm --recursive --force "${node_repository:?}" "${node_checkout:?}"
  mkdir --parents "${node_repository}"
  timeout --kill-after=30s 1m ostree init --mode=bare --repo="${node_repository}"
  if [[ -d "${SNO_ROOT}/ostree/repo/refs/heads/ostree/container" ]]; then
    timeout --kill-after=30s 15m ostree pull-local --repo="${node_repository}" "${SNO_ROOT}/ostree/repo"
  fi
}

# pull_node_image IMAGE: pulls an ostree container, which keeps SELinux labels and downloads only missing layers.
pull_node_image() {
  wait_until "the operating system image ${1} to be pulled" "${pull_limit_seconds}" 15 \
    timeout --kill-after=30s 30m ostree container image pull --authfile="${SNO_AUTH_FILE}" \
    "${node_repository}" "ostree-unverified-image:docker://${1}"
}

# The pull creates a single reference whose name is an escaped pull spec.
name_node_image() {
  local references
  references="$(timeout --kill-after=30s 1m ostree refs --repo="${node_repository}" | grep '^ostree/container/image/docker' || true)"
  if [[ -z "${references}" || "${references}" == *$'\n'* ]]; then
    fail "exactly one pulled image is expected in ${node_repository}, found: ${references:-none}"
  fi
  timeout --kill-after=30s 1m ostree refs --repo="${node_repository}" --force "${references}" --create="${node_ref}"
}

# Files of /etc that were changed on this system stay: the image's versions of them are not checked out.
check_out_node_image() {
  local skipped
  show_live_etc
  skipped="$(mktemp)"
  # A line has a letter, four spaces and a path relative to /etc. Source: ostree-admin-config-diff(1)
  timeout --kill-after=30s 5m ostree admin config-diff | sed --quiet 's,^[A-Z]    ,/usr/etc/,p' >"${skipped}"
  timeout --kill-after=30s 15m ostree checkout --repo="${node_repository}" --skip-list="${skipped}" "${node_ref}" "${node_checkout}"
  rm --force "${skipped}"
}

# A live system mounts /etc outside of the deployment, where ostree expects it.
show_live_etc() {
  local folders=("${SNO_ROOT}"/ostree/deploy/*/deploy/*/etc)
  if [[ "${#folders[@]}" -ne 1 || ! -d "${folders[0]}" ]]; then
    fail "exactly one deployment is expected, found: ${folders[*]}"
  fi
  timeout --kill-after=30s 1m mount --options=bind,ro "${SNO_ETC}" "${folders[0]}"
}

main
