#!/usr/bin/env bash
# Approves certificate requests of this node's kubelet only. The fields of the request object are not trusted: the PKCS #10 request is
# decoded, every byte of its names must be this node's, and it must be bound to a key on this node's disk. A first client certificate
# must be for the pending key there; any later request must have been made with the current certificate.
#
# When:   sourced after sno-common.sh and sno-checks.sh, by approve-csr.sh, the post-reboot script, aiokube.sh and sno-approve.sh;
#         needs KUBECONFIG.
# Writes: approvals in the cluster; the request under examination in ${SNO_RUN_DIR}/request.pem.
# Stops:  nothing. A foreign request stays pending; the log shows the reason once.

# shellcheck source-path=SCRIPTDIR source=sno-kubelet-client.sh
source "${SNO_BIN_DIR}/sno-kubelet-client.sh"
# shellcheck source-path=SCRIPTDIR source=sno-request-names.sh
source "${SNO_BIN_DIR}/sno-request-names.sh"

# The API client: oc, or kubectl on a machine without OpenShift.
kube_client="${SNO_KUBE_CLIENT:-oc}"
declare -A requests_refused=()
# Status of an objection to the key alone.
wrong_key=2

# kubelet_name: the kubelet registers under the host name in lower case.
kubelet_name() {
  local name
  name="$(node_name)"
  printf '%s\n' "${name,,}"
}

# admit_kubelet: one step towards the client certificate if the kubelet has none; then approves the kubelet's own requests.
admit_kubelet() {
  if ! holds_client_certificate; then give_client_certificate || true; fi
  approve_own_requests
}

# approve_own_requests: checks the pending requests once. Fails if the API server does not answer.
approve_own_requests() {
  local listed request name reason status
  listed="$("${kube_client}" get csr --request-timeout=30s --output=json 2>/dev/null |
    jq --compact-output '.items[] | select((.status.conditions // []) == [])')" || return 1
  while read -r request; do
    [[ -n "${request}" ]] || continue
    name="$(jq --raw-output .metadata.name <<<"${request}")"
    status=0
    reason="$(objection_to "${request}")" || status="${?}"
    if ((status == 0)); then
      approve_request "${name}" || true
    elif [[ -z "${requests_refused[${name}]:-}" ]]; then
      requests_refused["${name}"]=yes
      log_refusal "${name}" "${reason}" "${status}"
    fi
  done <<<"${listed}"
}

# log_refusal NAME REASON STATUS: the kubelet's own first request can be among those that differ from ours only in the key.
log_refusal() {
  if ((${3} == wrong_key)); then
    log "certificate request ${1} is not approved: ${2}"
  else
    log "certificate request ${1} is not from this kubelet and is not approved: ${2}"
  fi
}

# approve_request NAME: oc has the command only below `adm`.
approve_request() {
  local command=(oc adm)
  if [[ "${kube_client}" != oc ]]; then command=("${kube_client}"); fi
  "${command[@]}" certificate approve "${1}" --request-timeout=30s >&2
}

# objection_to REQUEST_JSON: returns 0 for a request of this kubelet. Otherwise prints the reason and returns 1, or 2 if only the key
# differs.
# Source of the rules: kubernetes.io, certificate signing requests, Kubernetes signers
objection_to() {
  local signer requester file="${SNO_RUN_DIR}/request.pem" own
  own="system:node:$(kubelet_name)"
  signer="$(jq --raw-output .spec.signerName <<<"${1}")"
  requester="$(jq --raw-output .spec.username <<<"${1}")"
  mkdir --parents "${SNO_RUN_DIR}"
  if ! jq --raw-output .spec.request <<<"${1}" | base64 --decode >"${file}" 2>/dev/null; then
    echo 'the request cannot be decoded'
    return 1
  fi
  case "${signer}" in
    kubernetes.io/kube-apiserver-client-kubelet)
      has_usages "${1}" 'client auth' || objection 'its usages are not those of a client' || return 1
      ;;
    kubernetes.io/kubelet-serving)
      is_one_of "${requester}" "${own}" || objection "${requester} asks for it" || return 1
      has_usages "${1}" 'server auth' || objection 'its usages are not those of a server' || return 1
      ;;
    *)
      objection "its signer is ${signer}" || return 1
      ;;
  esac
  check_request "${file}" "${signer}" || return 1
  if [[ "${requester}" == "${own}" ]]; then
    is_of_current_certificate "${1}" || objection 'it was not asked for with the certificate that the kubelet holds' || return 1
  else
    check_first_key "${file}" || return "${wrong_key}"
  fi
}

# check_first_key FILE: the request must be for the pending key; then only the holder of that key can use the certificate.
check_first_key() {
  ! holds_client_certificate || objection 'the kubelet has its client certificate already' || return 1
  has_pending_key "${1}" || objection "its key is not the one that waits on this node's disk" || return 1
}

# objection TEXT
objection() {
  printf '%s\n' "${1}"
  return 1
}

# is_one_of TEXT CANDIDATE…
is_one_of() {
  local candidate
  for candidate in "${@:2}"; do
    if [[ "${1}" == "${candidate}" ]]; then return 0; fi
  done
  return 1
}

# has_usages REQUEST_JSON USAGE: the request has this usage and otherwise only those that any TLS key may have.
has_usages() {
  jq --slurp --exit-status --arg usage "${2}" \
    '.[0].spec.usages | index([$usage]) != null and . - [$usage, "digital signature", "key encipherment"] == []' \
    <<<"${1}" >/dev/null
}

# check_request FILE SIGNER: the subject is this node, the request is signed with its own key, and the alternative names are empty for a
# client and this node's own for a server.
check_request() {
  local subject own names kind value allowed
  own="$(kubelet_name)"
  # Before OpenSSL 3.2 the exit status does not reflect the signature.
  [[ "$(openssl req -in "${1}" -noout -verify 2>&1 || true)" == *'verify OK'* ]] ||
    objection 'it is not signed by its own key' || return 1
  subject="$(openssl req -in "${1}" -noout -subject -nameopt RFC2253)" || return 1
  is_one_of "${subject#subject=}" "CN=system:node:${own},O=system:nodes" "O=system:nodes,CN=system:node:${own}" ||
    objection "its subject is ${subject#subject=}" || return 1
  names="$(alternative_names "${1}")" || objection 'its alternative names cannot be read' || return 1
  if [[ "${2}" == kubernetes.io/kube-apiserver-client-kubelet ]]; then
    [[ -z "${names}" ]] || objection 'it asks for alternative names' || return 1
    return 0
  fi
  [[ -n "${names}" ]] || objection 'it asks for no name at all' || return 1
  allowed="$(own_names)"
  while read -r kind value; do
    grep --quiet --line-regexp --fixed-strings "${kind} ${value}" <<<"${allowed}" ||
      objection "it asks for a name or an address that is not this node's (${kind} ${value})" || return 1
  done <<<"${names}"
}
