#!/usr/bin/env bash
# Pulls the release payload and checks that it was built for this architecture.
#
# When:   release-image.service, once the network is up; all other services wait for it.
# Writes: the payload into podman's storage; while the pull fails, the reason above the console's login prompt.
# Stops:  1 if the pull failed for an hour (systemd starts it again); 3 if the payload is for another architecture, which a retry
#         cannot fix (systemd leaves it failed).
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"

pull_limit_seconds=3600
wrong_architecture_status=3

main() {
  record_begin
  run_always pull-release-image pull_image "${SNO_RELEASE_IMAGE}" "${pull_limit_seconds}" announce_pull_failure
  clear_issue 50_release-image
  run_always image-metadata-arches-match check_architecture
}

# announce_pull_failure REASON
announce_pull_failure() {
  announce_issue 50_release-image "The release image ${SNO_RELEASE_IMAGE} cannot be pulled: ${1##*$'\n'}"
}

check_architecture() {
  local image machine
  image="$(timeout --kill-after=10s 60s podman image inspect --format '{{.Architecture}}' "${SNO_RELEASE_IMAGE}")"
  machine="$(machine_architecture)"
  if [[ "${image}" != "${machine}" ]]; then
    refuse_architecture "The release image ${SNO_RELEASE_IMAGE} is for ${image}, but this machine is ${machine}."
  fi
  if [[ "${SNO_EXPECTED_ARCH}" != "${machine}" ]]; then
    refuse_architecture "install-config.yaml says controlPlane.architecture: ${SNO_EXPECTED_ARCH}, but this machine is ${machine}."
  fi
}

# machine_architecture: the architecture as a GOARCH name.
machine_architecture() {
  local name
  name="$(uname --machine)"
  case "${name}" in
    x86_64) echo amd64 ;;
    aarch64) echo arm64 ;;
    *) echo "${name}" ;;
  esac
}

# refuse_architecture MESSAGE
refuse_architecture() {
  log "${1}"
  announce_issue 50_release-image "${1}"
  exit "${wrong_architecture_status}"
}

main
