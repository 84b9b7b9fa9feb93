#!/usr/bin/env bash
# Makes the log bundle of this installation: of the live phase in the live system, of both phases on the installed node. Secrets are
# removed. The node is the only master, so addresses of masters are accepted and ignored.
#
# When:   by hand or by `openshift-install gather bootstrap` over SSH: installer-gather.sh --id ID [ADDRESS…]; by
#         bootstrap-in-place.sh with TAR_FILE set.
# Writes: ${TAR_FILE}, or log-bundle-ID.tar.gz in the caller's home, mode 0600, owned by the caller. Works in /tmp/artifacts-ID.
# Stops:  1 for wrong arguments or if the archive cannot be written; 0 otherwise, even if something could not be collected.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-gather.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-gather.sh"
# shellcheck source-path=SCRIPTDIR source=bootstrap-cluster-gather.sh
source "${SNO_BIN_DIR}/bootstrap-cluster-gather.sh"

bootstrap_units=(release-image crio-configure crio kubelet bootkube approve-csr progress install-to-disk sno-preflight
  sno-fetch-images sno-etcd-restore node-image-pull node-image-overlay sssd)
# Only a site with a payload has them.
payload_units=(sno-payload sno-payload-registry sno-payload-mount iri-registry)
earlier_bundle="${SNO_ROOT}/var/log/log-bundle-bootstrap.tar.gz"
post_install="${SNO_ROOT}/opt/sno-post-install"

# gather FOLDER
gather() {
  attempt 'failed units' collect_failed_units "${1}"
  attempt 'journals' collect_journals "${1}/bootstrap/journals" "${bootstrap_units[@]}"
  if [[ -e "${SNO_ROOT}/etc/iri-registry" ]]; then
    attempt 'journals of the payload' collect_unit_journals "${1}/bootstrap/journals" "${payload_units[@]}"
  fi
  attempt 'service records' copy_redacted "${SNO_ROOT}/var/log/openshift" "${1}/bootstrap/services"
  attempt 'network' collect_network "${1}/bootstrap/network"
  attempt 'containers of CRI-O' collect_containers "${1}/bootstrap/containers"
  attempt 'containers of podman' collect_podman "${1}/bootstrap/pods"
  attempt 'logs of the control plane' \
    copy_redacted "${SNO_ROOT}/var/log/bootstrap-control-plane" "${1}/bootstrap/bootstrap-control-plane"
  attempt 'system' collect_system "${1}/bootstrap"
  attempt 'rendered assets' copy_assets "${1}/rendered-assets/openshift"
  attempt 'cluster resources' cluster_bootstrap_gather
  attempt 'earlier cluster resources' copy_redacted "${SNO_API_RESOURCES}" "${1}/resources"
  if [[ -e "${post_install}" ]]; then attempt 'post-install manifests' gather_post_install "${1}"; fi
  if [[ -e "${earlier_bundle}" || -e "${post_install}" ]]; then attempt 'installed node' gather_installed_node "${1}"; fi
}

# copy_assets TO: files rendered by the installer and the operators, without files that are secret as a whole.
copy_assets() {
  mkdir --parents "${1}"
  tar --create --directory="${SNO_ROOT}/opt/openshift" --exclude='*.ign' --exclude='*.ign.new' --exclude='*.key' \
    --exclude='*kubeconfig*' --exclude='*[sS]ecret*' --exclude='*.db' --exclude='*.gz' --exclude='.kube' \
    --exclude='.docker' . | tar --extract --directory="${1}"
  remove_secret_files "${1}"
  redact_files "${1}"
}

# gather_post_install FOLDER: the record of the service, and its objects without Secrets. They outlive the rest of the installation.
gather_post_install() {
  local records="${post_install}/records"
  mkdir --parents "${1}/bootstrap/services"
  if [[ -d "${records}" ]]; then cp "${records}"/*.json "${1}/bootstrap/services"; fi
  redact_files "${1}/bootstrap/services"
  mkdir --parents "${1}/post-install"
  tar --create --directory="${post_install}" --exclude=./bin --exclude=./records . | tar --extract --directory="${1}/post-install"
  remove_secret_files "${1}/post-install"
  redact_files "${1}/post-install"
}

# gather_installed_node FOLDER: includes the bundle of the live phase, until the clean-up removes it.
gather_installed_node() {
  if [[ -e "${earlier_bundle}" ]]; then
    tar --extract --gzip --no-same-owner --file="${earlier_bundle}" --directory="${1}"
  fi
  "${SNO_BIN_DIR}/installer-masters-gather.sh" --id "${1##*/artifacts-}.master"
  mkdir --parents "${1}/control-plane"
  mv --no-target-directory "${SNO_ROOT}/tmp/artifacts-${1##*/artifacts-}.master" "${1}/control-plane/master"
}

make_bundle "${@}"
