#!/usr/bin/env bash
# Approves the certificate requests of the live system's own kubelet while the bootstrap runs. That kubelet stands alone and asks
# for none; a payload whose kubelet does is served.
#
# When:   approve-csr.service, beside bootkube: approve-csr.sh KUBECONFIG
# Writes: approvals in the bootstrap's cluster.
# Stops:  0 when bootkube is done, 1 when that takes more than six hours; systemd starts it again.
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
