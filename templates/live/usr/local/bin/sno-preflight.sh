#!/usr/bin/env bash
# Checks the machine early for later failures: memory, disk, host name, address, DNS. It waits only for a clock outside the
# validity of the certificates, since TLS fails until it is right.
#
# When:   sno-preflight.service, once the network is up, before the release image is pulled.
# Writes: findings to the journal and, while something is wrong, above the console's login prompt.
# Stops:  1 if the clock is still wrong after ten minutes; systemd starts it again and other services continue.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
# shellcheck source-path=SCRIPTDIR source=sno-checks.sh
source "${SNO_BIN_DIR}/sno-checks.sh"
# shellcheck source-path=SCRIPTDIR source=sno-etcd.sh
source "${SNO_BIN_DIR}/sno-etcd.sh"
# shellcheck source-path=SCRIPTDIR source=sno-preflight-disk.sh
source "${SNO_BIN_DIR}/sno-preflight-disk.sh"

clock_limit_seconds=600

main() {
  record_begin
  run_always clock wait_for_clock
  run_always machine report_on_machine
}

wait_for_clock() {
  local message
  if message="$(check_clock)"; then return 0; fi
  announce_issue 40_sno-clock "${message}"
  wait_until "the clock to lie inside the validity of the certificates" "${clock_limit_seconds}" 5 holds check_clock
  clear_issue 40_sno-clock
}

report_on_machine() {
  local findings
  findings="$(find_problems)"
  if [[ -z "${findings}" ]]; then
    log "memory, disk, host name, address and DNS look right"
    clear_issue 41_sno-preflight
    return 0
  fi
  log "this machine cannot be installed:"
  log "${findings}"
  announce_issue 41_sno-preflight "Found at $(date --utc +%H:%M) UTC:
${findings}"
}

find_problems() {
  check_memory "${SNO_MINIMUM_MEMORY_MIB}" || true
  if [[ -n "${SNO_INSTALLATION_DISK}${SNO_ROOT_DEVICE_HINTS:-}" ]]; then check_installation_disk || true; fi
  check_hostname || true
  check_machine_network || true
  check_name "${SNO_API_INT_HOST}" || true
  check_name "${SNO_API_HOST}" || true
  # Any name below apps will do: the record is a wildcard.
  check_name "console-openshift-console.apps.${SNO_CLUSTER_DOMAIN}" || true
}

main
