#!/usr/bin/env bash
# Approves requests by which this node's kubelet renews its certificates, and no others.
#
# When:   sno-approve.timer, once the node is finished. It may be run by hand.
# Writes: approvals in the cluster, as a user without other rights. No record: it runs every five minutes for the life of the node.
# Stops:  1 if the API server does not answer; the timer tries again.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=aio-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/aio-common.sh"

# shellcheck source-path=SCRIPTDIR/../../../../live/usr/local/bin source=sno-checks.sh
source "${SNO_BIN_DIR}/sno-checks.sh"
# shellcheck source-path=SCRIPTDIR/../../../../live/usr/local/bin source=sno-csr.sh
source "${SNO_BIN_DIR}/sno-csr.sh"

main() {
  export KUBECONFIG="${AIO_ETC}/csr-approver/kubeconfig"
  approve_own_requests || fail 'the API server does not answer'
}

main
