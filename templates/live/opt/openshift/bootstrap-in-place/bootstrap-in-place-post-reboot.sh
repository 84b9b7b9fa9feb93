#!/usr/bin/env bash
# Leads the installed node to the finished cluster: tells the world that the bootstrap is over, frees what it held, admits this
# node's kubelet, waits for the operators, and removes every trace of the installation, itself included.
#
# When:   bootkube.service on the installed node, after the kubelet has started; again after a failure or a reboot.
# Writes: one marker a stage in /opt/openshift; service records; while a wait has run out, why above the console's login prompt.
# Stops:  1 when a wait has run out: systemd starts it again and it goes on at that stage. Nothing here waits without a limit.
set -Eeuo pipefail

# Once the cluster stands, only the clean-up is left; a part of it may be done, so nothing else is needed for it.
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
# The revision that each static pod came with: the operators' own render leaves none.
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
  log 'the cluster is complete; what the installation left is removed now'
  trap - EXIT ERR
  exec "${clean_up}"
}

# await WHAT LIMIT_SECONDS INTERVAL_SECONDS ADVICE COMMAND [ARG…]: a bounded wait; when it runs out, the console says so.
await() {
  if wait_until "${1}" "${2}" "${3}" "${@:5}"; then
    clear_issue "${issue}"
    return 0
  fi
  announce_issue "${issue}" "The installation is still waiting for ${1}, for more than ${2} s. ${4}"
  return 1
}

# ask [ARG…]: oc, with a limit for each answer.
ask() { oc --request-timeout=30s "${@}"; }

# etcd's certificates and the cluster's own records hold the name and address of the bootstrap.
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

# release_lock NAMESPACE NAME: the bootstrap's holder is gone, and its successor would wait minutes for the lock to expire.
release_lock() {
  await "the release of the lock ${1}/${2}" 600 10 'See journalctl -u bootkube.' lock_is_deleted "${1}" "${2}"
}

# Success is the API server's own word that nothing is there: an API that does not answer is no release.
lock_is_deleted() {
  ask delete lease "${2}" --namespace="${1}" --ignore-not-found >&2 &&
    ask delete configmap "${2}" --namespace="${1}" --ignore-not-found >&2
}

# During the bootstrap the cluster-version operator had to leave the applied manifests alone.
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

# The machine-config operator's node address drop-in comes after the kubelet's first start.
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

# The kubelet keeps talking to the bootstrap's API server until it is started anew beside the operator's.
restart_kubelet_for_api() {
  await "the kube-apiserver operator's own static pod" 3600 10 'See oc get clusteroperators kube-apiserver.' \
    api_server_is_the_operators
  restart_kubelet
}

api_server_is_the_operators() {
  admit_kubelet || true
  is_the_operators kube-apiserver
}

# is_the_operators COMPONENT: its static pod is Ready at a revision that its operator laid, or at ours if the operator keeps it, and no
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

# keeps_revision COMPONENT REVISION: the operator has taken the static pod over, at this revision, and has no other for the node.
# Source: openshift/api, operator/v1 (StaticPodOperatorStatus, NodeStatus)
keeps_revision() {
  ask get "${1//-/}s.operator.openshift.io" cluster --output=json 2>/dev/null | jq --slurp --exit-status \
    --arg node "$(kubelet_name)" --argjson revision "${2}" '.[0].status | .latestAvailableRevision == $revision
      and any(.nodeStatuses[]?; .nodeName == $node and .currentRevision == $revision
        and (.targetRevision // 0 | . == 0 or . == $revision))' >/dev/null
}

restart_kubelet() {
  timeout --kill-after=10s 5m systemctl daemon-reload
  # Without waiting for the kubelet to say that it runs: what comes next waits for what it does.
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

# Says which operators are missing, each time the answer changes.
report_operators() {
  local missing
  missing="$(ask get clusteroperators --output=json 2>/dev/null | jq --raw-output \
    '[.items[] | select(any(.status.conditions[]?; .type == "Available" and .status == "True") | not) | .metadata.name]
    | join(", ")')" || missing='the API server does not answer'
  if [[ "${missing}" != "${operators_said}" ]]; then log "not available: ${missing}"; fi
  operators_said="${missing}"
}

# On platform none nobody else admits the kubelet's serving certificate, which may be asked for late. A cluster without it
# works but for logs and exec, so that this is no reason to stop.
wait_for_serving_certificate() {
  wait_until "the kubelet's serving certificate" 900 10 has_serving_certificate ||
    log 'the kubelet has no serving certificate yet: approve its request with oc adm certificate approve'
}

has_serving_certificate() {
  admit_kubelet || true
  [[ -e "${kubelet_serving_certificate}" ]]
}

# The clean-up removes what the first static pods read: each must have been replaced by its operator, or be kept by it.
wait_for_handover() {
  await 'the operators to take over the static pods of the bootstrap' 3600 20 \
    'See oc get clusteroperators etcd kube-apiserver kube-controller-manager kube-scheduler.' control_plane_is_handed_over
}

# grep answers 1 when it found nothing, 2 when it could not look.
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

# report_components NAMES: which static pods are still the installation's, each time that changes.
report_components() {
  if [[ "${1}" != "${components_said}" ]]; then log "static pods that their operators have not taken over: ${1:-none}"; fi
  components_said="${1}"
}

main
