#!/usr/bin/env bash
# The stages of bootkube other than the control plane: renders of the other operators, the machine-config server, and
# cluster-bootstrap. Each stage can be repeated: it first removes its own output and overwrites copied files.
#
# When:   sourced by bootkube.sh, after bootkube-tools.sh and bootstrap-cluster-gather.sh; the functions run as stages in
#         /opt/openshift.
# Writes: manifests, bootstrap-manifests, /etc/kubernetes, /etc/mcc, /etc/mcs, /etc/ssl/mcs.
# Stops:  if a tool fails; optional stages are skipped with a log line if the release has no such tool.

stage_openshift_manifests() { copy_into manifests openshift; }

# The APIs, since 4.15; before, the config operator renders them.
stage_api() {
  local image version
  if ! payload_has cluster-config-api; then
    log 'this release has no image cluster-config-api: its config operator renders the APIs'
    return 0
  fi
  image="$(image_for cluster-config-api)"
  version="$(release_version)"
  fresh api-bootstrap
  run_tool api-render -- "${image}" /usr/bin/render -- \
    --asset-output-dir=/assets/api-bootstrap \
    --rendered-manifest-dir=/assets/manifests \
    "--cluster-profile=${SNO_CLUSTER_PROFILE}" \
    "--payload-version=${version}"
  copy_into manifests api-bootstrap/manifests
}

# The RoleBindingRestriction API, since 4.19: the API server admits system role bindings only once it exists.
stage_auth_api() {
  local image version help
  image="$(image_for cluster-authentication-operator)"
  help="$(help_of auth-api-render "${image}" render)"
  if ! lists_flag "$(<"${help}")" --rendered-manifest-dir; then
    log 'the authentication operator of this release renders nothing'
    return 0
  fi
  version="$(release_version)"
  fresh auth-api-bootstrap
  run_tool auth-api-render -- "${image}" render -- \
    --asset-output-dir=/assets/auth-api-bootstrap/manifests \
    --rendered-manifest-dir=/assets/manifests \
    "--cluster-profile=${SNO_CLUSTER_PROFILE}" \
    "--payload-version=${version}"
  copy_into manifests auth-api-bootstrap/manifests
}

stage_config() {
  local image version
  image="$(image_for cluster-config-operator)"
  version="$(release_version)"
  fresh config-bootstrap
  run_tool config-render -- "${image}" /usr/bin/cluster-config-operator render -- \
    '?--skip-api-rendering' \
    --cluster-infrastructure-input-file=/assets/manifests/cluster-infrastructure-02-config.yml \
    --cloud-provider-config-output-file=/assets/config-bootstrap/cloud-provider-config-generated.yaml \
    --config-output-file=/assets/config-bootstrap/config \
    --asset-input-dir=/assets/tls \
    --asset-output-dir=/assets/config-bootstrap \
    --rendered-manifest-files=/assets/manifests \
    --payload-version="${version}"
  # If the payload has a tool for the APIs, this tool's manifests are not for the cluster.
  if ! payload_has cluster-config-api; then copy_into manifests config-bootstrap/manifests; fi
}

stage_cvo() {
  local release
  release="$(release_pull_spec)"
  fresh cvo-bootstrap
  run_tool cvo-render --env="CLUSTER_PROFILE=${SNO_CLUSTER_PROFILE}" -- "${release}" render -- \
    --output-dir=/assets/cvo-bootstrap \
    --release-image="${release}" \
    '?--feature-gate-manifest-path=/assets/manifests/99_feature-gate.yaml' \
    '?--cluster-version-manifest-path=/assets/manifests/cvo-overrides.yaml'
  copy_into bootstrap-manifests cvo-bootstrap/bootstrap
  copy_into manifests cvo-bootstrap/manifests
  # The version operator's static pod reads its kubeconfig there.
  copy_as "${SNO_ETC}/kubernetes/kubeconfig" auth/kubeconfig-loopback
}

stage_ingress() {
  local image
  image="$(image_for cluster-ingress-operator)"
  fresh ingress-operator-manifests
  run_tool ingress-render -- "${image}" render -- \
    --prefix=cluster-ingress- \
    --output-dir=/assets/ingress-operator-manifests
  copy_into manifests ingress-operator-manifests
}

stage_node_tuning() {
  local image
  image="$(image_for cluster-node-tuning-operator)"
  fresh node-tuning-bootstrap
  run_tool node-tuning-render -- "${image}" render -- \
    --asset-input-dir=/assets/manifests \
    --asset-output-dir=/assets/node-tuning-bootstrap
  copy_into manifests node-tuning-bootstrap
}

# Kernel arguments that the node tuning operator would set later with another reboot; available since 4.15. tuned modifies files of the
# host, so it gets them as overlays that are discarded.
stage_kernel_arguments() {
  local image help folder overlays=()
  image="$(image_for cluster-node-tuning-operator)"
  help="$(help_of cmdbootline-nto-render "${image}" render-bootcmd-mc)"
  if ! lists_flag "$(<"${help}")" --mcp-name; then
    log 'the node tuning operator of this release renders no kernel arguments'
    return 0
  fi
  for folder in etc/modprobe.d etc/sysconfig etc/kubernetes etc/sysctl.d etc/systemd run sys lib/modules \
    var/lib/kubelet usr/lib/tuned etc/tuned; do
    if [[ -d "${SNO_ROOT}/${folder}" ]]; then overlays+=("--volume=${SNO_ROOT}/${folder}:/${folder}:O"); fi
  done
  fresh cmdbootline-nto-bootstrap
  run_tool cmdbootline-nto-render --env=CLUSTER_NODE_TUNED_BOOTSTRAP_SAFE_ENV=true "${overlays[@]}" -- \
    "${image}" render-bootcmd-mc -- \
    --asset-input-dir=/assets/manifests \
    --asset-output-dir=/assets/cmdbootline-nto-bootstrap \
    --mcp-name=master
  copy_into manifests cmdbootline-nto-bootstrap
}

# The machine-config operator: its static pod renders the node's configuration and serves it on port 22624.
stage_mco() {
  render_mco
  fill_mcc_folder
  copy_as "${SNO_ETC}/mcs/kubeconfig" auth/kubeconfig-kubelet
  copy_as "${SNO_ETC}/ssl/mcs/tls.crt" tls/machine-config-server.crt
  copy_as "${SNO_ETC}/ssl/mcs/tls.key" tls/machine-config-server.key
  mkdir --parents "${SNO_ETC}/mcs/bootstrap" "${SNO_ETC}/kubernetes/static-pod-resources"
  start_static_pods mco-bootstrap/bootstrap/machineconfigoperator-bootstrap-pod.yaml
}

render_mco() {
  local image release version references
  image="$(image_for machine-config-operator)"
  references="$(payload_file image-references)"
  release="$(release_pull_spec)"
  version="$(release_version)"
  fresh mco-bootstrap
  mkdir --parents mco-bootstrap
  cp "${references}" mco-bootstrap/image-references
  run_tool mco-render -- "${image}" bootstrap -- \
    --root-ca=/assets/tls/root-ca.crt \
    --kube-ca=/assets/tls/kube-apiserver-complete-client-ca-bundle.crt \
    --config-file=/assets/manifests/cluster-config.yaml \
    --dest-dir=/assets/mco-bootstrap \
    --pull-secret=/assets/manifests/openshift-config-secret-pull-secret.yaml \
    --release-image="${release}" \
    --image-references=/assets/mco-bootstrap/image-references \
    "?--payload-version=${version}"
}

# The controller reads its own configuration, the pools and all MachineConfigs there, in this order of precedence.
fill_mcc_folder() {
  local folder="${SNO_ETC}/mcc/bootstrap"
  rm --recursive --force "${folder:?}"
  copy_into "${folder}" mco-bootstrap/bootstrap/manifests openshift manifests
  # Read since 4.21, where the operating system is chosen among streams.
  if release_at_least 4 21; then copy_into "${folder}" mco-bootstrap/image-references; fi
  copy_into manifests mco-bootstrap/manifests
}

stage_cco() {
  local image
  image="$(image_for cloud-credential-operator)"
  fresh cco-bootstrap
  run_tool cco-render -- "${image}" render -- \
    --dest-dir=/assets/cco-bootstrap \
    --manifests-dir=/assets/manifests \
    --cloud-credential-operator-image="${image}"
  copy_into manifests cco-bootstrap/manifests
  # Absent when the operator is disabled.
  copy_into bootstrap-manifests cco-bootstrap/bootstrap-manifests
}
