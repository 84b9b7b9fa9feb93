#!/usr/bin/env bash
# Saves API objects that help to understand an installation, and keeps the last complete set: the API server may be gone when the
# log bundle is made. Secrets are listed by name only.
#
# When:   sourced by installer-gather.sh, report-progress.sh and bootkube.sh (when cluster-bootstrap fails).
# Writes: ${SNO_API_RESOURCES}, replaced as a whole.
# Stops:  nothing; cluster_bootstrap_gather returns 1 if the API server does not answer.

SNO_ROOT="${SNO_ROOT:-}"
SNO_BIN_DIR="${SNO_BIN_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)}"
SNO_API_RESOURCES="${SNO_API_RESOURCES:-${SNO_ROOT}/run/sno-install/api-resources}"
# shellcheck source-path=SCRIPTDIR source=sno-redact.sh
source "${SNO_BIN_DIR}/sno-redact.sh"

# File name and resources, one per line; each is listed in all namespaces as JSON.
api_resources='apiservices apiservices
clusteroperators clusteroperators
clusterversion clusterversion
configmaps configmaps
csr csr
endpoints endpoints
events events
etcd etcds.operator.openshift.io
infrastructure infrastructures.config.openshift.io
kubeapiserver kubeapiservers.operator.openshift.io
kubecontrollermanager kubecontrollermanagers.operator.openshift.io
kubescheduler kubeschedulers.operator.openshift.io
leases leases
machineconfigpools machineconfigpools
machineconfigs machineconfigs
machines machines
namespaces namespaces
nodes nodes
openshiftapiserver openshiftapiservers.operator.openshift.io
pods pods
rolebindings rolebindings
roles roles
services services'

cluster_bootstrap_gather() {
  local fresh="${SNO_API_RESOURCES}.new"
  cluster_kubeconfig
  if ! oc get --raw=/readyz --request-timeout=5s >/dev/null 2>&1; then
    echo 'the API server does not answer; its last answers are kept' >&2
    return 1
  fi
  rm --recursive --force "${fresh}"
  (umask 077 && mkdir --parents "${fresh}")
  ask_for_resources "${fresh}"
  ask_for_names "${fresh}"
  wait
  rm --recursive --force "${SNO_API_RESOURCES}"
  mv --no-target-directory "${fresh}" "${SNO_API_RESOURCES}"
}

# The kubeconfig of the installed node or the live system, unless KUBECONFIG is set.
cluster_kubeconfig() {
  local candidate
  if [[ -n "${KUBECONFIG:-}" ]]; then return 0; fi
  for candidate in "${SNO_ROOT}/etc/kubernetes/bootstrap-secrets/kubeconfig" \
    "${SNO_ROOT}/opt/openshift/auth/kubeconfig-loopback" "${SNO_ROOT}/opt/openshift/auth/kubeconfig" \
    "${SNO_ROOT}/etc/kubernetes/static-pod-resources/kube-apiserver-certs/secrets/node-kubeconfigs/localhost.kubeconfig"; do
    if [[ -r "${candidate}" ]]; then
      export KUBECONFIG="${candidate}"
      return 0
    fi
  done
}

# ask_for_resources FOLDER: all requests in parallel, in the background.
ask_for_resources() {
  local name resource
  while read -r name resource; do
    keep_answer "${1}/${name}.json" "${resource}" &
  done <<<"${api_resources}"
}

# keep_answer FILE RESOURCE: a failed request leaves no file.
keep_answer() {
  local filter=cat
  if [[ "${2}" == machineconfigs ]]; then filter=redact_machine_configs; fi
  oc get "${2}" --all-namespaces --request-timeout=15s --output=json 2>/dev/null </dev/null |
    "${filter}" | redact >"${1}.part" || true
  if [[ -s "${1}.part" ]]; then mv "${1}.part" "${1}"; else rm --force "${1}.part"; fi
}

# ask_for_names FOLDER: plain lists for a first look.
ask_for_names() {
  oc get nodes --request-timeout=15s --output=name >"${1}/nodes.list" 2>/dev/null </dev/null &
  oc get nodes --request-timeout=15s --output=name --selector=node-role.kubernetes.io/master \
    >"${1}/masters.list" 2>/dev/null </dev/null &
  oc get pods --all-namespaces --request-timeout=15s --output=wide 2>/dev/null </dev/null | redact >"${1}/pods.txt" &
  oc get secrets --all-namespaces --request-timeout=15s --no-headers \
    --output=custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,TYPE:.type \
    >"${1}/secrets.names" 2>/dev/null </dev/null &
}
