#!/usr/bin/env bash
# Takes the machine to a Ready node: waits for the static pods, applies the initial objects, admits this node's kubelet, sets the node's
# roles, and then removes all files that only the first boot needs, including itself.
#
# When:   aiokube.service, at the first boot; again after a failure or a reboot, until it is done.
# Writes: one marker per stage in /var/lib/sno-install, at the end .aiokube.done; records in /var/log/sno-install; after a timeout the
#         reason above the console's login prompt. It deletes the files listed in remove_what_only_the_boot_needed.
# Stops:  1 after a timeout: systemd restarts it and it continues at that stage. Every wait is bounded.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=aio-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/aio-common.sh"
# shellcheck source-path=SCRIPTDIR/../../../../live/usr/local/bin source=sno-checks.sh
source "${SNO_BIN_DIR}/sno-checks.sh"
# shellcheck source-path=SCRIPTDIR/../../../../live/usr/local/bin source=sno-csr.sh
source "${SNO_BIN_DIR}/sno-csr.sh"

issue=70_sno-aiokube
units_dir="${SNO_ROOT}/etc/systemd/system"

main() {
  export KUBECONFIG="${AIO_ETC}/aiokube/kubeconfig"
  record_begin
  # Once the node is finished, the identity of the stages may be removed.
  if ! stage_is_done node-finished; then
    run_always machine check_machine
    run_always api wait_for_api
    run_stage objects apply_objects
    run_stage node-registered wait_for_node
    run_stage node-ready wait_for_ready
    run_stage serving-certificate wait_for_serving_certificate
    run_stage node-roles label_node
    run_stage node-schedulable make_schedulable
    try_stage cluster-dns wait_for_cluster_dns
    run_stage bootstrapper-shut-out shut_out_bootstrapper
    run_stage node-finished clear_issue "${issue}"
  fi
  run_always clean-up remove_what_only_the_boot_needed
  log "the node $(kubelet_name) is finished"
}

# await WHAT LIMIT_SECONDS INTERVAL_SECONDS ADVICE COMMAND [ARG…]: a bounded wait; after the limit the console shows WHAT and ADVICE.
await() {
  if wait_until "${1}" "${2}" "${3}" "${@:5}"; then
    clear_issue "${issue}"
    return 0
  fi
  announce_issue "${issue}" "The control plane is still waiting for ${1}, for more than ${2} s. ${4}"
  return 1
}

check_machine() {
  await 'the programs of the node' 600 10 'See journalctl -u aiokube -u sno-unpack.' holds check_programs
  await 'the right host name' 300 5 "It must be ${SNO_HOSTNAME}." holds check_hostname
  await 'the right time' 600 10 'See journalctl -u aiokube and chronyc sources.' holds check_clock
}

# check_programs: programs that the node needs and the operating system may not have.
check_programs() {
  local program missing=()
  for program in kubelet "${SNO_KUBE_CLIENT}" jq openssl ip; do
    if ! command -v "${program}" >/dev/null; then missing+=("${program}"); fi
  done
  for program in bridge host-local loopback portmap; do
    if [[ ! -x "${SNO_ROOT}/opt/cni/bin/${program}" && ! -x "${SNO_ROOT}/usr/libexec/cni/${program}" ]]; then
      missing+=("the CNI plugin ${program}")
    fi
  done
  if ((${#missing[@]} == 0)); then return 0; fi
  printf 'missing on this machine: %s' "${missing[0]}"
  if ((${#missing[@]} > 1)); then printf ', %s' "${missing[@]:1}"; fi
  echo ': add to aio.files of sno-config.yaml'
  return 1
}

wait_for_api() {
  await 'the API server on localhost' 3600 5 \
    'Images may still be on their way: see crictl ps -a, and journalctl -u kubelet.' api_answers
}

api_answers() { ask get --raw=/readyz >/dev/null 2>&1; }

apply_objects() {
  await 'the objects of the cluster to be applied' 600 10 'See journalctl -u aiokube.' objects_are_applied
}

objects_are_applied() {
  local file
  for file in "${AIO_ETC}"/objects/*.yaml; do
    fitting_objects "${file}" |
      ask apply --server-side --force-conflicts --field-manager=sno-install --filename=- >&2 || return 1
  done
}

# fitting_objects FILE: without name servers on the machine, CoreDNS gets no forwarding: it would not start.
fitting_objects() {
  if has_name_servers; then
    cat "${1}"
  else
    sed '/^ *forward \. /,/^ *}/d' "${1}"
  fi
}

has_name_servers() { grep --quiet --extended-regexp '^nameserver[[:space:]]' "${SNO_ROOT}${SNO_RESOLV_CONF}" 2>/dev/null; }

wait_for_node() {
  await "the kubelet to register the node $(kubelet_name)" 1800 5 'See journalctl -u kubelet.' node_is_registered
}

node_is_registered() {
  admit_kubelet || true
  [[ -n "$(ask get node "$(kubelet_name)" --ignore-not-found --output=jsonpath='{.metadata.name}' 2>/dev/null)" ]]
}

wait_for_ready() {
  await "the node $(kubelet_name) to be Ready" 1800 5 \
    "See journalctl -u kubelet -u ${SNO_RUNTIME_UNIT%.service}." node_is_ready
}

node_is_ready() {
  admit_kubelet || true
  [[ "$(ask get node "$(kubelet_name)" \
    --output=jsonpath='{.status.conditions[?(@.type=="Ready")].status}' 2>/dev/null)" == True ]]
}

wait_for_serving_certificate() {
  await "the kubelet's serving certificate" 900 5 'See journalctl -u kubelet -u aiokube.' has_serving_certificate
}

has_serving_certificate() {
  admit_kubelet || true
  [[ -e "${AIO_KUBELET_PKI}/kubelet-server-current.pem" ]]
}

# A kubelet may not set its own roles. Source: kubernetes.io, admission controller NodeRestriction
label_node() {
  await 'the roles of the node' 300 5 'See journalctl -u aiokube.' node_is_labelled
}

node_is_labelled() {
  local role labels=()
  for role in ${SNO_NODE_ROLES}; do labels+=("node-role.kubernetes.io/${role}="); done
  ask label node "$(kubelet_name)" --overwrite "${labels[@]}" >&2
}

# Equals `kubectl uncordon`; oc has that command only below `adm`.
make_schedulable() {
  await 'the node to take pods' 300 5 'See journalctl -u aiokube.' \
    ask patch node "$(kubelet_name)" --type=merge --patch='{"spec":{"unschedulable":false}}'
}

# The node works without it, except for names of the cluster.
wait_for_cluster_dns() {
  wait_until 'cluster DNS' 900 10 ask wait deployment/coredns --namespace=kube-system --for=condition=Available --timeout=5s
}

# The identity of the kubelet's bootstrap is not needed any more.
shut_out_bootstrapper() {
  await 'the bootstrap identity to lose its rights' 300 5 'See journalctl -u aiokube.' \
    ask delete clusterrolebinding "${SNO_BOOTSTRAPPER_BINDING}" --ignore-not-found
}

# Secrets first, then the marker; last the unit, which the marker keeps from starting again.
remove_what_only_the_boot_needed() {
  rm --recursive --force "${AIO_ETC}/aiokube" "${AIO_KUBERNETES}/bootstrap-kubeconfig" \
    "${AIO_KUBERNETES}/pki/kubelet-bootstrap.crt" "${AIO_KUBERNETES}/pki/kubelet-bootstrap.key" "${AIO_ETC}/objects"
  mark_done .aiokube
  timeout --kill-after=10s 5m systemctl disable aiokube.service >&2 || true
  rm --force "${units_dir}/aiokube.service" "${SNO_BIN_DIR}/aiokube.sh"
  remove_preset
  timeout --kill-after=10s 5m systemctl daemon-reload
}

# Ignition enables units by lines of this file.
remove_preset() {
  local presets="${units_dir}-preset/20-ignition.preset"
  if [[ -e "${presets}" ]]; then sed --in-place '/^enable aiokube\.service$/d' "${presets}"; fi
}

main
