#!/usr/bin/env bash
# Shows the progress of the installation on the console, and keeps the latest objects of the bootstrap's API server for the log bundle,
# since that API server is gone when the bundle is made. The post-reboot script reports the end of the bootstrap to the cluster, since no
# API server runs between the end of bootkube and the reboot.
#
# When:   progress.service, in parallel with bootkube: report-progress.sh KUBECONFIG
# Writes: above the console's login prompt; ${SNO_RUN_DIR}/api-resources.
# Stops:  0 when the disk is written, 1 after eight hours; systemd starts it again.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
# shellcheck source-path=SCRIPTDIR source=bootstrap-cluster-gather.sh
source "${SNO_BIN_DIR}/bootstrap-cluster-gather.sh"

installation_limit_seconds=28800
api_interval_seconds=120
progress_notice="${SNO_ISSUE_DIR}/30_progress.issue"
api_asked_at=

main() {
  export KUBECONFIG="${1:-${SNO_HOME}/auth/kubeconfig-loopback}"
  record_begin
  run_always report-progress wait_until 'the disk to be written' "${installation_limit_seconds}" 10 report_once
  show 'is written to the disk; the machine reboots'
}

report_once() {
  if [[ -e "${SNO_HOME}/.install-to-disk.done" ]]; then return 0; fi
  show "$(latest_step)"
  keep_api_resources
  return 1
}

# show TEXT: on the console and in the log, if it has changed.
show() {
  local text="Single-node OpenShift ${SNO_CLUSTER_DOMAIN}: ${1//\\/\\\\}"
  if [[ -e "${progress_notice}" && "$(<"${progress_notice}")" == "${text}" ]]; then return 0; fi
  log "${text}"
  keep "${progress_notice}" "${text}"
  reload_prompts
}

# latest_step: the newest entry of all service records except those of services in the background.
latest_step() {
  local file
  for file in "${SERVICE_RECORDS_DIR}"/*.json; do
    case "${file##*/}" in
      '*.json' | progress.json | report-progress.json | approve-csr.json | sno-fetch-images.json) continue ;;
    esac
    jq --compact-output --arg service "$(basename "${file}" .json)" '.[] + { $service }' "${file}" 2>/dev/null || true
  done | jq --slurp --raw-output '
    (map(select(.stage != null and .stage != "wait-for-bootkube")) | sort_by(.timestamp) | last)
    // { service: "the installation", phase: "starts" }
    | [.service, .stage, .phase, .result, (.timestamp // empty)] | map(select(. != null)) | join(" ")'
}

# Some objects change until the end, so they are fetched repeatedly; only the last complete set is kept.
keep_api_resources() {
  local now
  now="$(uptime_seconds)"
  if [[ -n "${api_asked_at}" ]] && ((now - api_asked_at < api_interval_seconds)); then return 0; fi
  if cluster_bootstrap_gather >/dev/null 2>&1; then api_asked_at="${now}"; fi
}

main "${@}"
