#!/usr/bin/env bash
# The client certificate of this node's kubelet: the key it may be for, and how the kubelet gets its first one.
#
# A kubelet keeps the key of a pending request in memory, so its first request cannot be told apart from that of another holder of the
# bootstrap identity. Therefore this script requests the first certificate with a key that it generates, and writes both where the
# kubelet reads them at its start. A kubelet that does store its pending key uses this very file; then that key is used.
# Source: kubernetes, pkg/kubelet/certificate/bootstrap/bootstrap.go (tmpPrivateKeyFile), client-go,
# util/certificate/certificate_manager.go (generateCSR) and certificate_store.go
#
# When:   sourced by sno-csr.sh.
# Writes: requests in the cluster; a key below /var/lib/kubelet/pki, later replaced by certificate and key.
# Stops:  nothing; each function returns 1 if it cannot act yet.

kubelet_pki="${SNO_KUBELET_PKI:-${SNO_ROOT}/var/lib/kubelet/pki}"
kubelet_client_certificate="${kubelet_pki}/kubelet-client-current.pem"
pending_client_key="${kubelet_pki}/kubelet-client.key.tmp"

# holds_client_certificate: the kubelet has an unexpired client certificate with its key.
holds_client_certificate() {
  local end
  end="$(openssl x509 -in "${kubelet_client_certificate}" -noout -enddate 2>/dev/null)" || return 1
  openssl pkey -in "${kubelet_client_certificate}" -noout 2>/dev/null || return 1
  (($(date --utc --date="${end#*=}" +%s) > $(date +%s)))
}

# has_pending_key REQUEST_FILE: the request is for the pending key on this node's disk.
has_pending_key() {
  local pending asked
  pending="$(openssl pkey -in "${pending_client_key}" -pubout 2>/dev/null)" || return 1
  asked="$(openssl req -in "${1}" -noout -pubkey 2>/dev/null)" || return 1
  [[ -n "${pending}" && "${asked}" == "${pending}" ]]
}

# is_of_current_certificate REQUEST_JSON: the request was made with the kubelet's current certificate. API servers before 1.32 do not
# record the certificate. Source: apiserver, pkg/authentication/request/x509/x509.go (CommonNameUserConversion)
is_of_current_certificate() {
  local credential
  holds_client_certificate || return 1
  credential="$(jq --raw-output '.spec.extra["authentication.kubernetes.io/credential-id"] // [] | join(" ")' <<<"${1}")" || return 1
  [[ -z "${credential}" || "${credential}" == "X509SHA256=$(fingerprint_of "${kubelet_client_certificate}")" ]]
}

# fingerprint_of CERTIFICATE: its SHA-256, in hex.
fingerprint_of() { openssl x509 -in "${1}" -outform DER | sha256sum | cut --delimiter=' ' --fields=1; }

# give_client_certificate: the next step towards the certificate: key, request, approval, certificate file.
give_client_certificate() {
  local name request state
  make_pending_key || return 1
  name="sno-install-$(openssl pkey -in "${pending_client_key}" -pubout | sha256sum | head --bytes=32)"
  # shellcheck disable=SC2154 # The client of the API is that of sno-csr.sh.
  request="$("${kube_client}" get csr "${name}" --ignore-not-found --request-timeout=30s --output=json 2>/dev/null)" || return 1
  state="$(jq --raw-output '[.status.conditions[]?.type] | join(" ")' <<<"${request:-null}")" || return 1
  case "${state}" in
    *Denied* | *Failed*)
      log "certificate request ${name} is ${state}: generating another key"
      rm --force "${pending_client_key}"
      return 1
      ;;
  esac
  if [[ -z "${request}" ]]; then
    client_request "${name}" | "${kube_client}" create --request-timeout=30s --filename=- >&2
  else
    lay_client_certificate "${request}"
  fi
}

# make_pending_key: a key as the kubelet generates it.
make_pending_key() {
  if openssl pkey -in "${pending_client_key}" -noout 2>/dev/null; then return 0; fi
  mkdir --parents "${kubelet_pki}"
  (umask 0077 && openssl ecparam -name prime256v1 -genkey -noout -out "${pending_client_key}.new") &&
    mv --force "${pending_client_key}.new" "${pending_client_key}"
}

# client_request NAME: prints the request object. All Kubernetes versions accept these usages for any kind of key. Source: kubernetes,
# pkg/apis/certificates/helpers.go (ValidateKubeletClientCSR)
client_request() {
  local config="${SNO_RUN_DIR}/client-request.conf" pem
  mkdir --parents "${SNO_RUN_DIR}"
  # "system:node:" and a host name of up to 63 characters.
  { long_names && printf '[req]\ndistinguished_name = subject\n[subject]\n'; } >"${config}"
  pem="$(openssl req -new -config "${config}" -key "${pending_client_key}" -subj "/O=system:nodes/CN=system:node:$(kubelet_name)")" ||
    return 1
  jq --null-input --arg name "${1}" --arg pem "${pem}" '{
    apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest", metadata: {name: $name},
    spec: {
      signerName: "kubernetes.io/kube-apiserver-client-kubelet", request: ($pem + "\n" | @base64),
      usages: ["digital signature", "key encipherment", "client auth"]
    }
  }'
}

# lay_client_certificate REQUEST_JSON: writes certificate and key into one file and updates the link that the kubelet reads at its start.
lay_client_certificate() {
  local file new="${kubelet_pki}/.sno-install.new" link="${kubelet_pki}/.sno-install.link"
  file="${kubelet_pki}/kubelet-client-$(date --utc +%Y-%m-%d-%H-%M-%S).pem"
  (umask 0077 && jq --raw-output '.status.certificate // empty' <<<"${1}" | base64 --decode >"${new}") || return 1
  if [[ ! -s "${new}" ]]; then return 1; fi
  if [[ "$(openssl x509 -in "${new}" -noout -pubkey)" != "$(openssl pkey -in "${pending_client_key}" -pubout)" ]]; then
    log "the certificate from the cluster does not match this node's key"
    return 1
  fi
  cat "${pending_client_key}" >>"${new}" && sync "${new}" && mv --force "${new}" "${file}" || return 1
  ln --symbolic --force --no-dereference "${file}" "${link}" &&
    mv --force --no-target-directory "${link}" "${kubelet_client_certificate}" || return 1
  rm --force "${pending_client_key}"
  if command -v restorecon >/dev/null; then timeout --kill-after=10s 60s restorecon -R "${kubelet_pki}" || true; fi
  log 'the kubelet has a client certificate for a key generated on this node; restarting it'
  systemctl --no-block try-restart kubelet.service
}
