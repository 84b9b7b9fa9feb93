#!/usr/bin/env bash
# The four components of the control plane. SNO_RENDER selects their source: Release renders them here with the operators of the
# payload. Installer uses ${SNO_HOME}/control-plane, rendered by the installer, which sno-control-plane.sh turns into
# ${SNO_HOME}/control-plane-filled:
#   etc-kubernetes       for /etc/kubernetes: files that the static pods read, and etcd's static pod in manifests/
#   bootstrap-manifests  the other static pods, which cluster-bootstrap starts
#   manifests            the objects that they and their operators need in the cluster
#   tls                  client certificates of the scripts for etcd
#
# When:   sourced by bootkube.sh, after bootkube-tools.sh; the functions run as stages in /opt/openshift.
# Writes: /etc/kubernetes (etcd starts here), bootstrap-configs, bootstrap-manifests, manifests, tls.
# Stops:  if a tool fails or a file is missing.

etcd_url=https://localhost:2379

stage_etcd() {
  # Stops the etcd of an interrupted run before its certificates change.
  rm --force "${SNO_ETC}/kubernetes/manifests/etcd-member-pod.yaml"
  case "${SNO_RENDER}" in
    Installer)
      fill_control_plane
      copy_into tls control-plane-filled/tls
      start_etcd control-plane-filled/etc-kubernetes
      ;;
    *)
      render_etcd
      check_etcd_address etcd-bootstrap/etc-kubernetes/manifests/etcd-member-pod.yaml
      copy_into tls etcd-bootstrap/tls
      copy_into manifests etcd-bootstrap/manifests
      start_etcd etcd-bootstrap/etc-kubernetes
      ;;
  esac
}

# start_etcd FOLDER: copies the static pods last, so that etcd finds its files.
start_etcd() {
  local source
  [[ -d "${1}/manifests" ]] || fail "${1} has no static pod of etcd"
  for source in "${1}"/*; do
    if [[ "${source}" != "${1}/manifests" ]]; then
      copy_into "${SNO_ETC}/kubernetes/$(basename "${source}")" "${source}"
    fi
  done
  start_static_pods "${1}"/manifests/*
}

render_etcd() {
  local operator etcd version
  operator="$(image_for cluster-etcd-operator)"
  etcd="$(image_for etcd)"
  version="$(release_version)"
  fresh etcd-bootstrap
  run_tool etcd-render -- "${operator}" /usr/bin/cluster-etcd-operator render -- \
    --asset-output-dir=/assets/etcd-bootstrap \
    --cluster-configmap-file=/assets/manifests/cluster-config.yaml \
    --etcd-image="${etcd}" \
    --infra-config-file=/assets/manifests/cluster-infrastructure-02-config.yml \
    --network-config-file=/assets/manifests/cluster-network-02-config.yml \
    '?--rendered-manifest-files=/assets/manifests' \
    "?--payload-version=${version}"
}

# check_etcd_address POD: the operator's render uses the first address in the machine network and has no flag to change it. The kubelet
# must register with the same address. Source: cluster-etcd-operator, pkg/cmd/render/bootstrap_ip.go
check_etcd_address() {
  local chosen address
  chosen="$(sed --quiet 's|.*--initial-advertise-peer-urls=https://\[\{0,1\}\([0-9a-f.:]*\)\]\{0,1\}:2380.*|\1|p' "${1}" | head --lines=1)"
  address="$(node_address)"
  [[ -z "${chosen}" || "${chosen}" == "${address}" ]] ||
    fail "etcd would use the address ${chosen}, but the node uses ${address}: leave one address in ${SNO_MACHINE_NETWORKS}, make machineNetwork smaller, or use controlPlane.render: Installer"
}

stage_kube_apiserver() {
  if [[ "${SNO_RENDER}" == Installer ]]; then
    take_component kube-apiserver
    payload_manifests control-plane-payload '*kube-apiserver-operator*scc*.yaml'
    copy_into manifests control-plane-payload control-plane-filled/manifests
    return 0
  fi
  render_kube_apiserver
  copy_as "${SNO_ETC}/kubernetes/bootstrap-configs/kube-apiserver-config.yaml" kube-apiserver-bootstrap/config
  copy_into bootstrap-manifests kube-apiserver-bootstrap/bootstrap-manifests
  copy_into manifests kube-apiserver-bootstrap/manifests
}

render_kube_apiserver() {
  local operator hyperkube version kubernetes
  operator="$(image_for cluster-kube-apiserver-operator)"
  hyperkube="$(image_for hyperkube)"
  version="$(release_version)"
  kubernetes="$(kubernetes_version)"
  fresh kube-apiserver-bootstrap
  run_tool kube-apiserver-render -- \
    "${operator}" /usr/bin/cluster-kube-apiserver-operator render -- \
    --manifest-etcd-serving-ca=etcd-ca-bundle.crt \
    --manifest-etcd-server-urls="${etcd_url}" \
    --manifest-image="${hyperkube}" \
    --manifest-operator-image="${operator}" \
    --asset-input-dir=/assets/tls \
    --asset-output-dir=/assets/kube-apiserver-bootstrap \
    --config-output-file=/assets/kube-apiserver-bootstrap/config \
    --cluster-config-file=/assets/manifests/cluster-network-02-config.yml \
    --cluster-auth-file=/assets/manifests/cluster-authentication-02-config.yaml \
    --infra-config-file=/assets/manifests/cluster-infrastructure-02-config.yml \
    --rendered-manifest-files=/assets/manifests \
    --payload-version="${version}" \
    "?--operand-kubernetes-version=${kubernetes}"
}

stage_kube_controller_manager() {
  local configs="${SNO_ETC}/kubernetes/bootstrap-configs"
  if [[ "${SNO_RENDER}" == Installer ]]; then
    take_component kube-controller-manager
    return 0
  fi
  render_kube_controller_manager
  copy_as "${configs}/kube-controller-manager-config.yaml" kube-controller-manager-bootstrap/config
  copy_as "${configs}/cluster-policy-controller-config.yaml" kube-controller-manager-bootstrap/cpc-config
  copy_into bootstrap-manifests kube-controller-manager-bootstrap/bootstrap-manifests
  copy_into manifests kube-controller-manager-bootstrap/manifests
  copy_into tls kube-controller-manager-bootstrap/tls
}

render_kube_controller_manager() {
  local operator hyperkube policy version
  operator="$(image_for cluster-kube-controller-manager-operator)"
  hyperkube="$(image_for hyperkube)"
  policy="$(image_for cluster-policy-controller)"
  version="$(release_version)"
  fresh kube-controller-manager-bootstrap
  run_tool kube-controller-render -- \
    "${operator}" /usr/bin/cluster-kube-controller-manager-operator render -- \
    --cluster-policy-controller-image="${policy}" \
    --manifest-image="${hyperkube}" \
    --asset-input-dir=/assets/tls \
    --asset-output-dir=/assets/kube-controller-manager-bootstrap \
    --config-output-file=/assets/kube-controller-manager-bootstrap/config \
    --cpc-config-output-file=/assets/kube-controller-manager-bootstrap/cpc-config \
    --cluster-config-file=/assets/manifests/cluster-network-02-config.yml \
    --rendered-manifest-files=/assets/manifests \
    --payload-version="${version}"
}

stage_kube_scheduler() {
  local operator hyperkube
  if [[ "${SNO_RENDER}" == Installer ]]; then
    take_component kube-scheduler
    return 0
  fi
  operator="$(image_for cluster-kube-scheduler-operator)"
  hyperkube="$(image_for hyperkube)"
  fresh kube-scheduler-bootstrap
  run_tool kube-scheduler-render -- \
    "${operator}" /usr/bin/cluster-kube-scheduler-operator render -- \
    --manifest-image="${hyperkube}" \
    --asset-input-dir=/assets/tls \
    --asset-output-dir=/assets/kube-scheduler-bootstrap \
    --config-output-file=/assets/kube-scheduler-bootstrap/config
  copy_as "${SNO_ETC}/kubernetes/bootstrap-configs/kube-scheduler-config.yaml" kube-scheduler-bootstrap/config
  copy_into bootstrap-manifests kube-scheduler-bootstrap/bootstrap-manifests
  copy_into manifests kube-scheduler-bootstrap/manifests
}

# take_component NAME: the static pod of a component that the installer rendered.
take_component() {
  local pod="control-plane-filled/bootstrap-manifests/${1}-pod.yaml"
  [[ -e "${pod}" ]] || fail "SNO_RENDER is Installer, but ${SNO_HOME}/${pod} is missing"
  copy_into bootstrap-manifests "${pod}"
}

# payload_manifests FOLDER GLOB…: copies those manifests of the payload. The pods of the first operators need SCCs before an operator
# exists that creates them.
payload_manifests() {
  local image folder="${1}" glob
  image="$(release_pull_spec)"
  fresh "${folder}"
  fresh "${folder}.all"
  mkdir --parents "${folder}" "${folder}.all"
  timeout --kill-after=30s 10m podman run --quiet --rm --replace --name=payload-manifests \
    --net=none --log-driver=none --user=0 --volume="${SNO_HOME}/${folder}.all:/copy:z" \
    --entrypoint=cp "${image}" --recursive /release-manifests/. /copy ||
    fail "cannot copy the manifests of the release payload ${image}"
  for glob in "${@:2}"; do
    find "${folder}.all" -maxdepth 1 -name "${glob}" -exec cp {} "${folder}/" \;
  done
  fresh "${folder}.all"
}
