#!/usr/bin/env bash
# Approves the certificate requests of this node's kubelet, and nobody else's. What a request says about itself is not believed:
# the request proper is decoded, and every byte of its names must be this node's.
#
# When:   sourced after sno-common.sh and sno-checks.sh, by approve-csr.sh, the post-reboot script, aiokube.sh and sno-approve.sh;
#         needs KUBECONFIG.
# Writes: approvals in the cluster, the request being looked at in ${SNO_RUN_DIR}/request.pem.
# Stops:  nothing. A request that is not ours stays as it is; the log says once why.

# Who may ask for a first client certificate; empty for nobody. Source: CN of kubelet-client, openshift/installer pkg/asset/tls
node_bootstrapper="${SNO_NODE_BOOTSTRAPPER-system:serviceaccount:openshift-machine-config-operator:node-bootstrapper}"
# The client of the API: oc, or kubectl where there is nothing of OpenShift.
kube_client="${SNO_KUBE_CLIENT:-oc}"
declare -A requests_refused=()

# kubelet_name: the kubelet registers under the host name in lower case.
kubelet_name() {
  local name
  name="$(node_name)"
  printf '%s\n' "${name,,}"
}

# approve_own_requests: one look at the pending requests. Fails when the API server does not answer.
approve_own_requests() {
  local listed request name reason
  listed="$("${kube_client}" get csr --request-timeout=30s --output=json 2>/dev/null |
    jq --compact-output '.items[] | select((.status.conditions // []) == [])')" || return 1
  while read -r request; do
    [[ -n "${request}" ]] || continue
    name="$(jq --raw-output .metadata.name <<<"${request}")"
    if reason="$(objection_to "${request}")"; then
      approve_request "${name}" || true
    elif [[ -z "${requests_refused[${name}]:-}" ]]; then
      requests_refused["${name}"]=yes
      log "certificate request ${name} is not this kubelet's, it is left alone: ${reason}"
    fi
  done <<<"${listed}"
}

# approve_request NAME: oc has the command below `adm` only.
approve_request() {
  local command=(oc adm)
  if [[ "${kube_client}" != oc ]]; then command=("${kube_client}"); fi
  "${command[@]}" certificate approve "${1}" --request-timeout=30s >&2
}

# objection_to REQUEST_JSON: prints why the request is not this kubelet's and returns 1; returns 0 when it is.
# Source of the rules: kubernetes.io, certificate signing requests, Kubernetes signers
objection_to() {
  local signer requester file="${SNO_RUN_DIR}/request.pem" own
  own="system:node:$(kubelet_name)"
  signer="$(jq --raw-output .spec.signerName <<<"${1}")"
  requester="$(jq --raw-output .spec.username <<<"${1}")"
  mkdir --parents "${SNO_RUN_DIR}"
  if ! jq --raw-output .spec.request <<<"${1}" | base64 --decode >"${file}" 2>/dev/null; then
    echo 'it holds no request'
    return 1
  fi
  case "${signer}" in
    kubernetes.io/kube-apiserver-client-kubelet)
      is_one_of "${requester}" "${own}" "${node_bootstrapper}" || objection "${requester} asks for it" || return 1
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
  check_request "${file}" "${signer}"
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

# has_usages REQUEST_JSON USAGE: the usage, and no other but those of any TLS key.
has_usages() {
  jq --slurp --exit-status --arg usage "${2}" \
    '.[0].spec.usages | index([$usage]) != null and . - [$usage, "digital signature", "key encipherment"] == []' \
    <<<"${1}" >/dev/null
}

# check_request FILE SIGNER: the subject is this node, the request is signed by its own key, and the alternative names are
# none for a client, and this node's own for a server.
check_request() {
  local subject own names kind value allowed
  own="$(kubelet_name)"
  # Before OpenSSL 3.2 the exit status says nothing about the signature.
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

# own_names: what a serving certificate of this node may hold, in the form of alternative_names.
own_names() {
  local address
  printf '82 %s\n' "$(kubelet_name | tr --delete '\n' | hex_of)"
  ip -oneline address show scope global | awk '{ sub("/.*", "", $4); print $4 }' | while read -r address; do
    printf '87 %s\n' "$(address_hex "${address}")"
  done
}

# alternative_names FILE: prints tag and value, in hex, of each alternative name: 82 is a DNS name, 87 an address (RFC 5280,
# GeneralName). Read from the DER, because a name may hold line ends and commas that fool a reader of printed text.
alternative_names() {
  local parsed found dump
  parsed="$(openssl asn1parse -in "${1}")" || return 1
  found="$(grep --count --extended-regexp 'OBJECT +:X509v3 Subject Alternative Name$' <<<"${parsed}" || true)"
  if ((found == 0)); then return 0; fi
  if ((found > 1)); then return 1; fi
  dump="$(grep --after-context=1 --extended-regexp 'OBJECT +:X509v3 Subject Alternative Name$' <<<"${parsed}" |
    sed --quiet --regexp-extended 's/^.*OCTET STRING +\[HEX DUMP\]:([0-9A-F]+)$/\1/p')"
  [[ -n "${dump}" ]] && print_names "${dump,,}"
}

# print_names HEX: the elements of one DER sequence.
print_names() {
  local rest length tag
  [[ "${1}" == 30* ]] || return 1
  rest="${1:2}"
  length="$(der_length "${rest}")" || return 1
  rest="${rest:$(der_length_digits "${rest}")}"
  ((${#rest} == length * 2)) || return 1
  while [[ -n "${rest}" ]]; do
    tag="${rest:0:2}"
    rest="${rest:2}"
    length="$(der_length "${rest}")" || return 1
    rest="${rest:$(der_length_digits "${rest}")}"
    ((${#rest} >= length * 2)) || return 1
    printf '%s %s\n' "${tag}" "${rest:0:length*2}"
    rest="${rest:length*2}"
  done
}

# der_length HEX: the length that stands at the beginning; up to 65535, in the short form, or the long one of one or two bytes.
der_length() {
  case "${1}" in
    [0-7]?*) echo "$((16#${1:0:2}))" ;;
    81??*) echo "$((16#${1:2:2}))" ;;
    82????*) echo "$((16#${1:2:4}))" ;;
    *) return 1 ;;
  esac
}

# der_length_digits HEX: how many digits the length takes.
der_length_digits() {
  case "${1}" in
    81*) echo 4 ;;
    82*) echo 6 ;;
    *) echo 2 ;;
  esac
}

hex_of() { od --address-radix=n --format=x1 | tr --delete ' \n'; }

# address_hex ADDRESS: the bytes of an IPv4 or IPv6 address.
address_hex() {
  local before=() after=() group zeros
  if [[ "${1}" != *:* ]]; then
    IFS=. read -r -a before <<<"${1}"
    printf '%02x' "${before[@]}"
    return 0
  fi
  IFS=: read -r -a before <<<"${1%%::*}"
  if [[ "${1}" == *::* ]]; then IFS=: read -r -a after <<<"${1#*::}"; fi
  for group in "${before[@]}"; do printf '%04x' "0x${group}"; done
  for ((zeros = 8 - ${#before[@]} - ${#after[@]}; zeros > 0; zeros--)); do printf 0000; done
  for group in "${after[@]}"; do printf '%04x' "0x${group}"; done
}
