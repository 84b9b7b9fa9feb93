#!/usr/bin/env bash
# Finishes the installation on the installed node: reports that the bootstrap is complete, releases its locks, admits this node's
# kubelet, waits for the operators, and removes all files of the installation, including this script.
#
# When:   bootkube.service on the installed node, after the kubelet has started; again after a failure or a reboot.
# Writes: one marker per stage in /opt/openshift; service records; after a timeout the reason above the console's login prompt.
# Stops:  1 after a timeout: systemd restarts it and it continues at that stage. Every wait is bounded.
set -Eeuo pipefail

# Once the cluster is complete, only the clean-up is left. An earlier run may have done part of it, so it needs no other file.
home="${SNO_HOME:-${SNO_ROOT:-}/opt/openshift}"
clean_up="$(dirname "${BASH_SOURCE[0]}")/sno-node-cleanup.sh"
if [[ -e "${home}/cluster-complete.done" ]]; then exec "${clean_up}"; fi

# shellcheck source-path=SCRIPTDIR/../../../usr/local/bin source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
# shellcheck source-path=SCRIPTDIR/../../../usr/local/bin source=sno-checks.sh
source "${SNO_BIN_DIR}/sno-checks.sh"
# shellcheck source-path=SCRIPTDIR/../../../usr/local/bin source=sno-etcd.sh
source "${SNO_BIN_DIR}/sno-etcd.sh"
# shellcheck source-path=SCRIPTDIR/../../../usr/local/bin source=sno-csr.sh
source "${SNO_BIN_DIR}/sno-csr.sh"

issue=71_sno-post-reboot
manifests_dir="${SNO_ETC}/kubernetes/manifests"
kubelet_serving_certificate="${SNO_ROOT}/var/lib/kubelet/pki/kubelet-server-current.pem"
overrides_patch="${SNO_HOME}/original_cvo_overrides.patch"
operators_said=
components_said=
# The initial revision of each static pod; the operators' own render leaves none.
first_revision=0
if [[ "${SNO_RENDER:-Release}" == Installer ]]; then first_revision=1; fi

main() {
  export KUBECONFIG="${SNO_ETC}/kubernetes/bootstrap-secrets/kubeconfig"
  record_begin
  run_always node-identity check_identity
  run_always api wait_for_api
  run_stage bootstrap-complete signal_completion
  run_stage release-cvo-lease release_lock openshift-cluster-version version
  run_stage release-cpc-lease release_lock kube-system cluster-policy-controller-lock
  run_stage restore-cvo-overrides restore_overrides
  run_stage node-ready wait_for_node
  run_stage restart-kubelet-for-network restart_kubelet_for_network
  run_stage restart-kubelet-for-api restart_kubelet_for_api
  run_stage cluster-available wait_for_cluster
  run_stage serving-certificate wait_for_serving_certificate
  run_stage operators-own-control-plane wait_for_handover
  run_stage cluster-complete clear_issue "${issue}"
  log 'the cluster is complete; removing the files of the installation'
  trap - EXIT ERR
  exec "${clean_up}"
}

# await WHAT LIMIT_SECONDS INTERVAL_SECONDS ADVICE COMMAND [ARG…]: a bounded wait; after the limit the console shows WHAT and ADVICE.
await() {
  if wait_until "${1}" "${2}" "${3}" "${@:5}"; then
    clear_issue "${issue}"
    return 0
  fi
  announce_issue "${issue}" "The installation is still waiting for ${1}, for more than ${2} s. ${4}"
  return 1
}

# ask [ARG…]: oc with a request timeout.
ask() { oc --request-timeout=30s "${@}"; }

# etcd's certificates and the objects of the cluster contain the name and address of the bootstrap.
check_identity() {
  local name address
  name="$(described .node.hostname)" || true
  address="$(described .node.address)" || true
  await 'the host name and address that the node had during the bootstrap' 300 5 \
    "They were ${name} and ${address}; now they are $(node_name) and $(node_address). Set them back." \
    is_identity "${name}" "${address}"
}

wait_for_api() {
  await 'the API server on localhost' 3600 5 \
    'The images of the control plane may still be on their way: see crictl ps -a and journalctl -u kubelet.' api_answers
}

api_answers() { ask get --raw=/readyz >/dev/null 2>&1; }

# `openshift-install wait-for bootstrap-complete` waits for this ConfigMap.
signal_completion() {
  await 'the ConfigMap kube-system/bootstrap' 600 5 'See journalctl -u bootkube.' completion_is_signalled
}

completion_is_signalled() {
  local status
  status="$(ask get configmap bootstrap --namespace=kube-system --ignore-not-found --output=jsonpath='{.data.status}')" ||
    return 1
  [[ "${status}" == complete ]] ||
    ask create configmap bootstrap --namespace=kube-system --from-literal=status=complete >&2 ||
    ask patch configmap bootstrap --namespace=kube-system --type=merge --patch='{"data":{"status":"complete"}}' >&2
}

# release_lock NAMESPACE NAME: the holder from the bootstrap is gone; without this, its successor waits minutes for the lock to expire.
release_lock() {
  await "the release of the lock ${1}/${2}" 600 10 'See journalctl -u bootkube.' lock_is_deleted "${1}" "${2}"
}

# Only "not found" from the API server counts as released; no answer does not.
lock_is_deleted() {
  ask delete lease "${2}" --namespace="${1}" --ignore-not-found >&2 &&
    ask delete configmap "${2}" --namespace="${1}" --ignore-not-found >&2
}

# During the bootstrap the overrides keep the cluster-version operator from changing the applied manifests.
restore_overrides() {
  await 'the overrides of the ClusterVersion' 600 10 'See journalctl -u bootkube.' overrides_are_restored
}

overrides_are_restored() {
  ask patch clusterversion version --type=merge --patch="$(<"${overrides_patch}")" >&2
}

wait_for_node() {
  await "the node $(kubelet_name) to be Ready" 3600 10 \
    "The kubelet needs ${SNO_API_INT_HOST}, which resolves to: $(addresses_of "${SNO_API_INT_HOST}" | paste --serial --delimiters=,)." \
    node_is_ready
}

node_is_ready() {
  admit_kubelet || true
  ask get node "$(kubelet_name)" --output=json 2>/dev/null | has_condition Ready
}

# has_condition TYPE: whether the object on standard input has this condition with status True.
has_condition() {
  jq --slurp --exit-status --arg type "${1}" \
    'any(.[0].status.conditions[]?; .type == $type and .status == "True")' >/dev/null
}

# The machine-config operator writes the drop-in with the node address after the kubelet's first start.
restart_kubelet_for_network() {
  await 'the kube-apiserver operator to be Ready' 3600 10 'See oc get pods --all-namespaces.' \
    kube_apiserver_operator_is_ready
  restart_kubelet
}

kube_apiserver_operator_is_ready() {
  admit_kubelet || true
  ask get pods --namespace=openshift-kube-apiserver-operator --selector=app=kube-apiserver-operator --output=json \
    2>/dev/null | jq --slurp --exit-status \
    'any(.[0].items[]?.status.conditions[]?; .type == "Ready" and .status == "True")' >/dev/null
}

# The kubelet keeps its connection to the API server of the bootstrap until it is restarted after the operator's API server is up.
restart_kubelet_for_api() {
  await "the kube-apiserver operator's own static pod" 3600 10 'See oc get clusteroperators kube-apiserver.' \
    api_server_is_the_operators
  restart_kubelet
}

api_server_is_the_operators() {
  admit_kubelet || true
  is_the_operators kube-apiserver
}

# is_the_operators COMPONENT: the static pod is Ready at a revision of its operator, or at our revision if the operator keeps it, and no
# static pod of the bootstrap is left. Source: library-go, pkg/operator/staticpod (label `revision`, name of the mirror pod)
is_the_operators() {
  local pods name revision
  name="${1/#kube-scheduler/openshift-kube-scheduler}-$(kubelet_name)"
  pods="$(ask get pods --namespace="openshift-${1}" --output=json 2>/dev/null)" || return 1
  revision="$(jq --slurp --raw-output --exit-status --arg name "${name}" '
    def revision: .metadata.labels.revision // "" | tonumber? // 0;
    [.[0].items[]? | select(.metadata.annotations["kubernetes.io/config.mirror"] != null)]
    | [.[] | select(.metadata.name == $name and any(.status.conditions[]?; .type == "Ready" and .status == "True")) | revision] as $own
    | if ($own | length) == 1 and all(.[]; revision > 0) then $own[0] else empty end' \
    <<<"${pods}")" || return 1
  ((revision > first_revision)) || { ((revision > 0)) && keeps_revision "${1}" "${revision}"; }
}

# keeps_revision COMPONENT REVISION: the operator manages the static pod at this revision and targets no other.
# Source: openshift/api, operator/v1 (StaticPodOperatorStatus, NodeStatus)
keeps_revision() {
  ask get "${1//-/}s.operator.openshift.io" cluster --output=json 2>/dev/null | jq --slurp --exit-status \
    --arg node "$(kubelet_name)" --argjson revision "${2}" '.[0].status | .latestAvailableRevision == $revision
      and any(.nodeStatuses[]?; .nodeName == $node and .currentRevision == $revision
        and (.targetRevision // 0 | . == 0 or . == $revision))' >/dev/null
}

restart_kubelet() {
  timeout --kill-after=10s 5m systemctl daemon-reload
  # Does not wait until the kubelet is ready; the next stages wait for its results.
  systemctl --no-block restart kubelet.service
}

wait_for_cluster() {
  await 'the ClusterVersion to be Available' 7200 20 'See oc get clusteroperators.' cluster_is_available
}

cluster_is_available() {
  admit_kubelet || true
  if ask get clusterversion version --output=json 2>/dev/null | has_condition Available; then return 0; fi
  report_operators
  return 1
}

# Logs the operators that are not Available, each time the list changes.
report_operators() {
  local missing
  missing="$(ask get clusteroperators --output=json 2>/dev/null | jq --raw-output \
    '[.items[] | select(any(.status.conditions[]?; .type == "Available" and .status == "True") | not) | .metadata.name]
    | join(", ")')" || missing='the API server does not answer'
  if [[ "${missing}" != "${operators_said}" ]]; then log "not available: ${missing}"; fi
  operators_said="${missing}"
}

# On platform none no other component approves the kubelet's first serving certificate, and the request may come late. Without it only
# logs and exec fail, so a timeout here does not stop the script.
wait_for_serving_certificate() {
  wait_until "the kubelet's serving certificate" 900 10 has_serving_certificate ||
    log 'the kubelet has no serving certificate yet: approve its request with oc adm certificate approve'
}

has_serving_certificate() {
  admit_kubelet || true
  [[ -e "${kubelet_serving_certificate}" ]]
}

# The clean-up removes files of the first static pods, so each pod must first be replaced or kept by its operator.
wait_for_handover() {
  await 'the operators to take over the static pods of the bootstrap' 3600 20 \
    'See oc get clusteroperators etcd kube-apiserver kube-controller-manager kube-scheduler.' control_plane_is_handed_over
}

# grep exits with 1 for no match and with 2 for an error.
control_plane_is_handed_over() {
  local status=0 component missing=()
  admit_kubelet || true
  for component in etcd kube-apiserver kube-controller-manager kube-scheduler; do
    is_the_operators "${component}" || missing+=("${component}")
  done
  report_components "${missing[*]}"
  ((${#missing[@]} == 0)) || return 1
  grep --recursive --quiet --extended-regexp \
    '/etc/kubernetes/(bootstrap-|static-pod-resources/etcd-member)' "${manifests_dir}" || status="${?}"
  ((status == 1))
}

# report_components NAMES: logs the static pods that are still those of the installation, each time the list changes.
report_components() {
  if [[ "${1}" != "${components_said}" ]]; then log "static pods that their operators have not taken over: ${1:-none}"; fi
  components_said="${1}"
}

main
