#!/usr/bin/env bash
# Renews the kubelet's client certificate where the kubelet cannot: a machine that was off for longer than the certificate's lifetime
# has no valid certificate for a request, and neither has a kubelet that lost it after the first boot. The authority that signs such
# requests issues it here.
#
# When:   sourced by sno-renew.sh, after sno-certificate.sh.
# Writes: a certificate with its key below /var/lib/kubelet/pki, the link to it, and a kubeconfig if there is none. It removes the
#         link to a serving certificate that is not valid yet.
# Stops:  nothing; each function fails with a message.
#
# shellcheck disable=SC2154 # The time is that of sno-renew.sh, the folder for renewals that of sno-certificate.sh.

kubelet_kubeconfig="${SNO_ROOT}/var/lib/kubelet/kubeconfig"

renew_kubelet_identity() {
  local current="${AIO_KUBELET_PKI}/kubelet-client-current.pem" begin end name file key="${renewal_dir}/kubelet.key"
  # Before the end of the first boot the kubelet's first certificate is still being issued.
  [[ -e "${current}" || -e "${SNO_HOME}/.aiokube.done" ]] || return 0
  end="$(epoch_of enddate "${current}" || echo 0)"
  begin="$(epoch_of startdate "${current}" || echo 0)"
  if ((begin <= now && end > now)) && is_key "${current}"; then return 0; fi
  name="system:node:${SNO_HOSTNAME}"
  file="${AIO_KUBELET_PKI}/kubelet-client-$(date --utc --date="@${now}" +%Y-%m-%d-%H-%M-%S).pem"
  make_renewal_dir
  kubelet_key "${current}" "${end}" "${key}"
  sign_certificate kubelet csr-signer "/O=system:nodes/CN=${name}" clientAuth - "${key}"
  cat "${key}" >>"${renewal_dir}/kubelet.crt"
  put_in_place "${renewal_dir}/kubelet.crt" "${file}"
  ln --symbolic --force --no-dereference "${file}" "${current}.new"
  mv --force --no-target-directory "${current}.new" "${current}"
  lay_kubeconfig "${current}"
  note_renewal "${name}" "${end}" "$(epoch_of enddate "${current}")"
  rm --force "${key}" "${renewal_dir}/kubelet.crt"
  # --no-block: at boot the kubelet waits for this service.
  systemctl --no-block try-restart kubelet.service
}

# drop_early_serving_certificate: a kubelet requests a new serving certificate shortly before the current one expires, but not if the
# current one is not valid yet because the clock was ahead. Without a certificate it requests one.
drop_early_serving_certificate() {
  local current="${AIO_KUBELET_PKI}/kubelet-server-current.pem" begin
  begin="$(epoch_of startdate "${current}" || echo 0)"
  if ((begin <= now)); then return 0; fi
  log "the kubelet's serving certificate is not valid before $(date_of "${begin}"): requesting another one"
  rm --force "${current}"
  systemctl --no-block try-restart kubelet.service
}

# is_key FILE: the file holds a private key.
is_key() { openssl pkey -in "${1}" -noout 2>/dev/null; }

# kubelet_key FROM END TO: the kubelet's own key, or a new one if it is lost.
kubelet_key() {
  if is_key "${1}"; then
    log "the kubelet's certificate is not valid now; it expires at $(date_of "${2}")"
    (umask 0077 && openssl pkey -in "${1}" -out "${3}")
  else
    log "the kubelet's key is missing; issuing another one"
    (umask 0077 && openssl ecparam -name prime256v1 -genkey -noout -out "${3}")
  fi
}

# lay_kubeconfig PEM: the kubeconfig that the kubelet writes at its first start; without it the kubelet looks for the identity of the
# first boot. Source: kubernetes, pkg/kubelet/certificate/bootstrap/bootstrap.go (LoadClientConfig)
lay_kubeconfig() {
  if [[ -e "${kubelet_kubeconfig}" ]]; then return 0; fi
  cat >"${renewal_dir}/kubeconfig" <<END
apiVersion: v1
kind: Config
clusters:
  - name: default-cluster
    cluster: { server: 'https://localhost:6443', certificate-authority: /etc/kubernetes/pki/api-server-ca.crt }
users:
  - name: default-auth
    user: { client-certificate: '${1#"${SNO_ROOT}"}', client-key: '${1#"${SNO_ROOT}"}' }
contexts:
  - name: default-context
    context: { cluster: default-cluster, user: default-auth }
current-context: default-context
END
  put_in_place "${renewal_dir}/kubeconfig" "${kubelet_kubeconfig}"
  rm --force "${renewal_dir}/kubeconfig"
}
