#!/usr/bin/env bash
# Approves certificate requests of the live system's kubelet during the bootstrap. Our kubelet runs standalone and sends none; some
# payloads configure one that does.
#
# When:   approve-csr.service, in parallel with bootkube: approve-csr.sh KUBECONFIG
# Writes: approvals in the bootstrap's cluster.
# Stops:  0 when bootkube is done, 1 after six hours; systemd starts it again.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
# shellcheck source-path=SCRIPTDIR source=sno-checks.sh
source "${SNO_BIN_DIR}/sno-checks.sh"
# shellcheck source-path=SCRIPTDIR source=sno-csr.sh
source "${SNO_BIN_DIR}/sno-csr.sh"

bootkube_limit_seconds=21600

main() {
  export KUBECONFIG="${1:-${SNO_HOME}/auth/kubeconfig-loopback}"
  record_begin
  run_always approve-csr wait_until 'the end of the bootstrap' "${bootkube_limit_seconds}" 20 bootkube_is_done
}

bootkube_is_done() {
  if [[ -e "${SNO_HOME}/.bootkube.done" ]]; then return 0; fi
  approve_own_requests || true
  return 1
}

main "${@}"
