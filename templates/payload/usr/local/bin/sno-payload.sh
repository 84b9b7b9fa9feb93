#!/usr/bin/env bash
# Finds the payload, checks and mounts it, and loads the image of its registry, so that nothing is pulled from elsewhere.
#
# When:   sno-payload.service, before the release image is pulled; on an all-in-one node at every boot.
# Writes: those of sno-payload-find.sh; the registry image into podman's storage and its ID to ${SNO_RUN_DIR}/payload-registry; the
#         source of the images, or the reason of a failure, above the console's login prompt.
# Stops:  1 if there is no payload for an hour, or a minute on an all-in-one node; systemd starts it again. Nothing is installed without it.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=../../../../live/usr/local/bin/sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
SNO_LIVE_MEDIUM_DIR="${SNO_LIVE_MEDIUM_DIR:-${SNO_ROOT}/run/media/iso}"
# shellcheck source-path=SCRIPTDIR source=../../../../live/usr/local/bin/sno-root-device.sh
source "${SNO_BIN_DIR}/sno-root-device.sh"
# shellcheck source-path=SCRIPTDIR source=sno-payload-find.sh
source "${SNO_BIN_DIR}/sno-payload-find.sh"

issue=45_sno-payload
find_limit_seconds="${SNO_PAYLOAD_LIMIT_SECONDS:-3600}"
consequence="${SNO_PAYLOAD_CONSEQUENCE:-The installation waits, the disk is untouched}"
last_finding=

main() {
  record_begin
  run_always find-payload wait_for_payload
  run_always load-registry load_registry
}

wait_for_payload() {
  wait_until 'the payload' "${find_limit_seconds}" 10 payload_is_there || fail "${last_finding}"
  announce_source "${issue}"
}

# payload_is_there: shows each new finding.
payload_is_there() {
  local finding
  if finding="$(find_payload)"; then return 0; fi
  if [[ "${finding}" != "${last_finding}" ]]; then
    last_finding="${finding}"
    log "${finding}"
    announce_issue "${issue}" "${consequence}: ${finding}"
  fi
  return 1
}

load_registry() {
  local image reasons="${SNO_RUN_DIR}/payload-registry-reasons"
  if ! image="$(timeout --kill-after=30s 10m podman pull --quiet "dir:${payload_dir}/images/registry" 2>"${reasons}")"; then
    announce_issue "${issue}" "${consequence}: the registry image of the payload cannot be loaded: $(tail --lines=1 "${reasons}")"
    fail "podman cannot load ${payload_dir}/images/registry: $(tail --lines=1 "${reasons}")"
  fi
  keep "${SNO_RUN_DIR}/payload-registry" "${image}"
}

main
