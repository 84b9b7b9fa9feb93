#!/usr/bin/env bash
# Makes the log bundle of an all-in-one node since its first boot, in the format that `sno-install analyze` reads. Secrets are removed.
#
# When:   by hand or by `sno-install gather` over SSH: installer-gather.sh --id ID [ADDRESS…], before and after the end of the first
#         boot. Needs no env file and no cluster.
# Writes: ${TAR_FILE}, or log-bundle-ID.tar.gz in the caller's home, mode 0600, owned by the caller. Works in /tmp/artifacts-ID.
# Stops:  1 for wrong arguments or if the archive cannot be written; 0 otherwise, even if something could not be collected.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR/../../../../live/usr/local/bin source=sno-gather.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-gather.sh"

units=(aiokube kubelet containerd crio sno-renew sno-approve sno-unpack chronyd zincati)
etc="${SNO_ROOT}/etc/sno-install"
kubernetes="${SNO_ROOT}/etc/kubernetes"
home="${SNO_ROOT}/var/lib/sno-install"

# gather FOLDER
gather() {
  attempt 'failed units' collect_failed_units "${1}"
  attempt 'journals' collect_journals "${1}/bootstrap/journals" "${units[@]}"
  attempt 'service records' copy_redacted "${SNO_ROOT}/var/log/sno-install" "${1}/bootstrap/services"
  attempt 'network' collect_network "${1}/bootstrap/network"
  attempt 'containers' collect_containers "${1}/bootstrap/containers"
  attempt 'logs of pods' collect_pod_logs "${1}/bootstrap/containers"
  attempt 'system' collect_system "${1}/bootstrap"
  attempt 'configuration' collect_configuration "${1}/rendered-assets/openshift"
  attempt 'certificates' collect_certificates "${1}/bootstrap/certificates.txt"
  attempt 'cluster resources' collect_resources "${1}/resources"
}

# collect_pod_logs FOLDER: the kubelet's files NAMESPACE_POD_UID/CONTAINER/RESTART.log; Fedora CoreOS has no crictl.
collect_pod_logs() {
  local file pod container restart
  for file in "${SNO_ROOT}"/var/log/pods/*/*/*.log; do
    if [[ ! -e "${file}" ]]; then continue; fi
    IFS=/ read -r pod container restart <<<"${file#"${SNO_ROOT}/var/log/pods/"}"
    pod="${pod#*_}"
    collect "${1}/${container}-${pod%_*}-${restart}" tail --lines=20000 "${file}"
  done
  collect "${1}/tasks.txt" ctr --namespace k8s.io tasks list
}

# collect_configuration FOLDER: the node's configuration without files that are secret as a whole, and the markers of the first boot.
collect_configuration() {
  local file
  for file in "${kubernetes}"/manifests/*.yaml "${kubernetes}"/kubelet-config.yaml "${kubernetes}"/cni/net.d/* \
    "${etc}"/sno-install.env "${etc}"/certificates.tsv "${home}"/*.done "${home}"/.*.done "${home}"/renewals.log; do
    if [[ -f "${file}" ]]; then collect "${1}/${file##*/}" cat "${file}"; fi
  done
}

# collect_certificates FILE: subject and end of each certificate on the node.
collect_certificates() {
  local file
  mkdir --parents "$(dirname "${1}")"
  find "${kubernetes}" "${etc}/pki" "${SNO_ROOT}/var/lib/kubelet/pki" \( -name '*.crt' -o -name '*.pem' \) 2>/dev/null |
    sort | while read -r file; do
    printf '%s\n' "${file}"
    timeout --kill-after=10s 120 openssl x509 -in "${file}" -noout -subject -startdate -enddate 2>&1 || true
  done | redact >"${1}"
}

# collect_resources FOLDER: during the first boot with its identity, which may read everything; later as the kubelet, which may read its
# own node, and as the approver, which may read certificate requests.
collect_resources() {
  local client identity="${etc}/aiokube/kubeconfig" requests="${etc}/aiokube/kubeconfig"
  client="$(command -v kubectl || command -v oc)" || return 1
  if [[ ! -e "${identity}" ]]; then
    identity="${SNO_ROOT}/var/lib/kubelet/kubeconfig"
    requests="${etc}/csr-approver/kubeconfig"
  fi
  collect "${1}/nodes.json" "${client}" --kubeconfig="${identity}" --request-timeout=20s get nodes "$(uname --nodename)" --output=json
  collect "${1}/pods.txt" "${client}" --kubeconfig="${identity}" --request-timeout=20s get pods --all-namespaces --output=wide \
    --field-selector="spec.nodeName=$(uname --nodename)"
  collect "${1}/csr.json" "${client}" --kubeconfig="${requests}" --request-timeout=20s get certificatesigningrequests --output=json
  collect "${1}/events.json" "${client}" --kubeconfig="${identity}" --request-timeout=20s get events --all-namespaces --output=json
}

make_bundle "${@}"
