#!/usr/bin/env bash
# Collects the state of the installed node. Secrets are removed.
#
# When:   installer-gather.sh runs it on the installed node; by hand: installer-masters-gather.sh --id ID
# Writes: the folder /tmp/artifacts-ID
# Stops:  1 for wrong arguments; 0 otherwise, even if something could not be collected.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-gather.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-gather.sh"

node_units=(crio kubelet machine-config-daemon-pull machine-config-daemon-firstboot machine-config-daemon-host pivot
  node-valid-hostname nodeip-configuration ovs-configuration chronyd sno-etcd-restore bootkube sno-post-install sssd)

main() {
  local id artifacts
  id="$(read_id "${@}")" || exit 1
  if ((EUID != 0)) && [[ -z "${SNO_ROOT}" ]]; then exec sudo --non-interactive "${BASH_SOURCE[0]}" "${@}"; fi
  umask 077
  artifacts="${SNO_ROOT}/tmp/artifacts-${id}"
  new_folder "${artifacts}"
  collect_failed_units "${artifacts}"
  collect_journals "${artifacts}/journals" "${node_units[@]}"
  collect_network "${artifacts}/network"
  collect_containers "${artifacts}/containers"
  collect_system "${artifacts}"
}

main "${@}"
