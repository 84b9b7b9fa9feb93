#!/usr/bin/env bash
# Runs a standalone kubelet without an API server: it starts the static pods of bootkube.
#
# When:   kubelet.service, once CRI-O is running.
# Writes: files of the kubelet.
# Stops:  with the kubelet's status; systemd starts it again.
#
# Source of the flags: kubelet(1) of Kubernetes 1.27 to 1.34.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"

main() {
  local flags=() text
  record_begin
  text="$(kubelet_flags)"
  mapfile -t flags <<<"${text}"
  kubelet "${flags[@]}"
}

kubelet_flags() {
  cat <<END
--anonymous-auth=false
--read-only-port=0
--container-runtime-endpoint=/var/run/crio/crio.sock
--runtime-request-timeout=${KUBELET_RUNTIME_REQUEST_TIMEOUT:-10m}
--pod-manifest-path=${SNO_ETC}/kubernetes/manifests
--minimum-container-ttl-duration=6m0s
--cluster-domain=cluster.local
--cgroup-driver=systemd
--serialize-image-pulls=false
--volume-plugin-dir=${SNO_ETC}/kubernetes/kubelet-plugins/volume/exec
--v=2
END
  address_flags
  pause_image_flag
}

# Without an address the kubelet uses the address of the default route. A flag must select IPv6 if that is the first family of the cluster.
address_flags() {
  if [[ -n "${SNO_NODE_IP}" ]]; then
    printf '%s\n' "--node-ip=${SNO_NODE_IP}" "--address=${SNO_NODE_IP}"
  elif [[ "${SNO_IP_FAMILY}" == 6 ]]; then
    echo '--node-ip=::'
  fi
}

# Kubernetes 1.35 removed this flag, so it is passed only to a kubelet that has it.
pause_image_flag() {
  if [[ -n "${MACHINE_CONFIG_INFRA_IMAGE:-}" ]] &&
    { timeout --kill-after=10s 60s kubelet --help 2>&1 || true; } | grep --extended-regexp '^ *--pod-infra-container-image ' >/dev/null; then
    echo "--pod-infra-container-image=${MACHINE_CONFIG_INFRA_IMAGE}"
  fi
}

main
