#!/usr/bin/env bash
# Starts a temporary control plane on this machine, lets it create the cluster's objects, stops it and builds the Ignition config of
# the installed node.
#
# When:   bootkube.service, after the kubelet and CRI-O; can be run by hand.
# Writes: below /opt/openshift: manifests, the output of each stage and its marker NAME.done, and at the end .bootkube.done;
#         /etc/kubernetes, /etc/mcc, /etc/mcs.
# Stops:  1 at the first stage that fails; systemd restarts it and it continues with that stage. docs/boot-flow.md describes
#         the stages.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
# shellcheck source-path=SCRIPTDIR source=sno-checks.sh
source "${SNO_BIN_DIR}/sno-checks.sh"
# shellcheck source-path=SCRIPTDIR source=sno-etcd.sh
source "${SNO_BIN_DIR}/sno-etcd.sh"
# shellcheck source-path=SCRIPTDIR source=sno-preflight-disk.sh
source "${SNO_BIN_DIR}/sno-preflight-disk.sh"
# shellcheck source-path=SCRIPTDIR source=bootstrap-verify-api-server-urls.sh
source "${SNO_BIN_DIR}/bootstrap-verify-api-server-urls.sh"
# shellcheck source-path=SCRIPTDIR source=bootstrap-cluster-gather.sh
source "${SNO_BIN_DIR}/bootstrap-cluster-gather.sh"
# shellcheck source-path=SCRIPTDIR source=bootkube-tools.sh
source "${SNO_BIN_DIR}/bootkube-tools.sh"
# shellcheck source-path=SCRIPTDIR source=sno-control-plane.sh
source "${SNO_BIN_DIR}/sno-control-plane.sh"
# shellcheck source-path=SCRIPTDIR source=bootkube-control-plane.sh
source "${SNO_BIN_DIR}/bootkube-control-plane.sh"
# shellcheck source-path=SCRIPTDIR source=bootkube-stages.sh
source "${SNO_BIN_DIR}/bootkube-stages.sh"

issue=62_bootkube
cluster_bootstrap_said="${SNO_RUN_DIR}/cluster-bootstrap.log"
api_reached="${SNO_RUN_DIR}/api-int-reached"

main() {
  record_cleanups+=(tell_of_failure)
  record_begin
  cd "${SNO_HOME}"
  mkdir --parents manifests bootstrap-manifests "${SNO_ETC}"/kubernetes/{manifests,bootstrap-configs,bootstrap-manifests}
  run_always wait-for-machine wait_for_machine
  render_everything
  bring_up_cluster
  hand_over
  touch .bootkube.done
  log 'bootkube is complete'
}

# tell_of_failure: called at the end of the record, with ${result} and the open stage, if any. bootstrap-in-place.sh prints its own
# messages.
tell_of_failure() {
  if [[ "${result:?}" == success ]]; then
    clear_issue "${issue}"
  elif [[ ! -e "${SNO_ISSUE_DIR}/60_bootstrap-in-place.issue" ]]; then
    announce_issue "${issue}" "The bootstrap failed${record_stage:+ at ${record_stage}}, retrying: $(likely_reason)"
  fi
}

# likely_reason: the last log line that names a cause that a retry cannot fix, otherwise the last log lines, without podman's messages
# about its containers.
likely_reason() {
  local lines
  lines="$(timeout --kill-after=10s 60s journalctl --boot --unit=bootkube.service --lines=300 --output=cat \
    _TRANSPORT=stdout 2>/dev/null || true)"
  grep --extended-regexp 'No space left on device|no matches for kind|is invalid:|is forbidden:|created no manifests|did not create all manifests' <<<"${lines}" | tail --lines=1 |
    grep . || tail --lines=1 <<<"${lines}"
}

render_everything() {
  run_stage openshift-manifests stage_openshift_manifests
  run_stage api-bootstrap with_images stage_api
  run_stage auth-api-bootstrap with_images stage_auth_api
  run_stage config-bootstrap with_images stage_config
  run_stage cvo-bootstrap stage_cvo
  run_stage etcd-bootstrap with_images stage_etcd
  run_stage kube-apiserver-bootstrap with_images stage_kube_apiserver
  run_stage kube-controller-manager-bootstrap with_images stage_kube_controller_manager
  run_stage kube-scheduler-bootstrap with_images stage_kube_scheduler
  run_stage ingress-operator-bootstrap with_images stage_ingress
  run_stage node-tuning-bootstrap with_images stage_node_tuning
  try_stage cmdbootline-nto-bootstrap with_images stage_kernel_arguments
  run_stage mco-bootstrap with_images stage_mco
  run_stage cco-bootstrap with_images stage_cco
}

bring_up_cluster() {
  try_stage resolve-api-url resolve_api_name "${SNO_API_HOST}"
  try_stage resolve-api-int-url resolve_api_name "${SNO_API_INT_HOST}"
  # After the snapshot etcd is stopped, or was stopped by a run that was interrupted before it wrote the marker.
  if ! stage_is_done etcd-snapshot; then run_always wait-for-etcd wait_for_etcd; fi
  run_stage cb-bootstrap with_images stage_cluster_bootstrap
}

# A failure that a retry fixes shows no notice. After the last failure the API objects are gathered while the API server is still
# running.
stage_cluster_bootstrap() {
  local status try
  for ((try = 1; try <= 3; try++)); do
    remove_copied_static_pods
    wait_until 'the API server of an earlier run to stop' 600 2 api_port_is_closed
    status=0
    start_cluster || status="${?}"
    if ((status == 0)) || ! came_too_early; then break; fi
    log 'cluster-bootstrap could not write an event, because it came too early or the API server was stopping'
  done
  if ((status != 0)); then
    cluster_bootstrap_gather || log 'the API resources could not be gathered'
    fail "cluster-bootstrap ended with status ${status}"
  fi
  all_manifests_were_created
}

# cluster-bootstrap also exits with 0 after it created nothing: the error of an attempt in the background is only printed. It
# prints a line that begins with Created or Skipped for each file whose object the API server has.
# Source: openshift/cluster-bootstrap, pkg/start/start.go; openshift/library-go, pkg/assets/create (equal in 4.14 to 5.0)
all_manifests_were_created() {
  local reason missing names
  reason="$(grep --after-context=1 'Assert creation failed: ' "${cluster_bootstrap_said}" | paste --serial --delimiters=' ' || true)"
  if [[ -n "${reason}" ]]; then fail "cluster-bootstrap created no manifests: ${reason#*Assert creation failed: }"; fi
  missing="$(LC_ALL=C comm -23 <(files_of_manifests) <(created_manifests))"
  if [[ -n "${missing}" ]]; then
    names="$(head --lines=10 <<<"${missing}" | paste --serial --delimiters=' ')"
    fail "cluster-bootstrap did not create all manifests, missing ${names}"
  fi
}

# Paths below manifests/, sorted.
files_of_manifests() { (cd manifests && find -L . -type f -printf '%P\n') | LC_ALL=C sort; }

# The same paths, as cluster-bootstrap printed them: in quotes, with a backslash before a quote or backslash.
created_manifests() {
  grep --only-matching --extended-regexp '(Created|Skipped|Skipped creating) "([^"\\]|\\.)+"' "${cluster_bootstrap_said}" |
    sed --regexp-extended 's/^[^"]*"(.*)"$/\1/; s/\\(.)/\1/g' | LC_ALL=C sort --unique || true
}

# An API server that is terminating still answers; cluster-bootstrap would connect to it and fail when it ends.
api_port_is_closed() { ! (exec 3<>"/dev/tcp/localhost/${SNO_API_PORT:-6443}") 2>/dev/null; }

# start_cluster: cluster-bootstrap waits 20 minutes for the API server and 20 more for the first objects before the time limit for all
# objects begins. Its output is saved too.
start_cluster() {
  local image status=0 watcher
  image="$(image_for cluster-bootstrap)" || return 1
  mkdir --parents "${SNO_RUN_DIR}"
  if [[ "${api_check}" == Reachable ]]; then
    watch_api_name &
    watcher="${!}"
  fi
  TOOL_LIMIT=90m run_tool cluster-bootstrap --volume="${SNO_ETC}/kubernetes:/etc/kubernetes:z" -- "${image}" start -- \
    --tear-down-early=false \
    --asset-dir=/assets \
    --required-pods= \
    '?--assets-create-timeout=30m' 2>&1 | tee "${cluster_bootstrap_said}" >&2 || status="${?}"
  if [[ "${api_check}" == Reachable ]]; then
    kill "${watcher}" 2>/dev/null || true
    if ((status == 0)) && [[ ! -e "${api_reached}" ]]; then api_is_not_reached || return 1; fi
  fi
  return "${status}"
}

# watch_api_name: records whether the API server of the bootstrap answers under its internal name, which the installed kubelet uses.
watch_api_name() {
  until timeout --kill-after=10s 30s oc --kubeconfig="${SNO_HOME}/auth/kubeconfig-kubelet" --request-timeout=10s get --raw=/readyz \
    >/dev/null 2>&1; do
    sleep 5
  done
  touch "${api_reached}"
}

api_is_not_reached() {
  local addresses
  addresses="$(addresses_of "${SNO_API_INT_HOST}" | paste --serial --delimiters=,)"
  fail "the API server did not answer at ${SNO_API_INT_HOST} (${addresses}) during the bootstrap: let the load balancer forward port 6443 to this machine, also for requests from this machine"
}

# cluster-bootstrap writes an event into a namespace that the API server creates in its first seconds. Source: kubernetes,
# pkg/controlplane/controller/systemnamespaces; openshift/cluster-bootstrap, pkg/start (events in kube-system)
came_too_early() {
  grep --quiet --extended-regexp 'namespaces "kube-system" not found|Post .*/namespaces/kube-system/events' \
    "${cluster_bootstrap_said}"
}

# cluster-bootstrap refuses to overwrite a static pod of an interrupted run.
remove_copied_static_pods() {
  local pod
  for pod in bootstrap-manifests/*; do rm --force "${SNO_ETC}/kubernetes/manifests/$(basename "${pod}")"; done
}

# The next script needs the same image versions that rendered the payload.
hand_over() {
  local etcd cluster_bootstrap
  etcd="$(image_for etcd)"
  cluster_bootstrap="$(image_for cluster-bootstrap)"
  "${SNO_BIN_DIR}/bootstrap-in-place.sh" --etcd-image "${etcd}" --cluster-bootstrap-image "${cluster_bootstrap}"
}

# Name and address become part of certificates and static pods. The other checks are those of install-to-disk.sh, made before the
# bootstrap.
wait_for_machine() {
  wait_for_check 'enough memory' 0 check_memory "${SNO_MINIMUM_MEMORY_MIB}"
  wait_until 'the release payload (see: journalctl --unit release-image)' 3900 5 payload_is_here
  wait_until 'CRI-O and the kubelet to run' 900 5 runtime_is_up
  wait_for_check "the clock to lie inside the certificates' validity" 1800 check_clock
  wait_for_check 'a host name of its own' 300 check_hostname
  wait_for_check "an address in ${SNO_MACHINE_NETWORKS}" 300 check_machine_network
  if stage_is_done etcd-bootstrap; then
    wait_for_check 'the address that etcd was started with' 300 check_address_is_kept
  else
    keep_node_address
  fi
  wait_for_check "the name ${SNO_API_INT_HOST} to resolve to this machine" 300 check_name "${SNO_API_INT_HOST}"
  wait_for_check "the installation disk ${SNO_INSTALLATION_DISK}" 300 check_installation_disk
}

# wait_for_check WHAT LIMIT_SECONDS CHECK [ARG…]: after the limit the last finding is the last message, which the console shows.
wait_for_check() { wait_until "${1}" "${2}" 5 holds "${@:3}" || fail "${last_finding:?}"; }

payload_is_here() { timeout --kill-after=10s 60s podman image exists "${SNO_RELEASE_IMAGE}"; }

runtime_is_up() { systemctl is-active --quiet crio.service && systemctl is-active --quiet kubelet.service; }

wait_for_etcd() {
  local etcd
  etcd="$(image_for etcd)"
  pull_image "${etcd}" "${image_limit_seconds:?}"
  wait_until 'etcd to be healthy' 1200 5 etcd_is_healthy "${etcd}"
}

# etcd_is_healthy IMAGE
etcd_is_healthy() {
  timeout --kill-after=10s 60 podman run --quiet --rm --replace --net=host --log-driver=k8s-file --name=etcdctl \
    --env=ETCDCTL_API=3 --volume="${SNO_HOME}/tls:/tls:ro,z" --entrypoint=etcdctl "${1}" \
    --cacert=/tls/etcd-ca-bundle.crt --cert=/tls/etcd-client.crt --key=/tls/etcd-client.key \
    --endpoints="${etcd_url:?}" --dial-timeout=10s --command-timeout=30s endpoint health
}

main
