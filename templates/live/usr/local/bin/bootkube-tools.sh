#!/usr/bin/env bash
# Runs the tools of the payload's images. Each release has its own flags: instead of a table of them, every tool is first run with
# --help, so one script supports all releases.
#
# When:   sourced by bootkube.sh, after sno-common.sh.
# Writes: ${SNO_RUN_DIR}/help/NAME: the output of --help.
# Stops:  1 with the flag's name if a tool does not have a required flag.

# Time limit for pulling an image.
image_limit_seconds=3600

# stage_images: prints a stage and the name of an image in the payload per line, in the order of their use: images that the stage runs
# itself or as static pods. The third column is the only value of SNO_RENDER with which the stage needs the image.
stage_images() {
  local stage name render
  while read -r stage name render; do
    if [[ -z "${render}" || "${render}" == "${SNO_RENDER}" ]]; then printf '%s %s\n' "${stage}" "${name}"; fi
  done <<END
api-bootstrap cluster-config-api
auth-api-bootstrap cluster-authentication-operator
config-bootstrap cluster-config-operator
etcd-bootstrap cluster-etcd-operator
etcd-bootstrap pod
etcd-bootstrap etcd
kube-apiserver-bootstrap cluster-kube-apiserver-operator Release
kube-controller-manager-bootstrap cluster-kube-controller-manager-operator Release
kube-scheduler-bootstrap cluster-kube-scheduler-operator Release
ingress-operator-bootstrap cluster-ingress-operator
node-tuning-bootstrap cluster-node-tuning-operator
cmdbootline-nto-bootstrap cluster-node-tuning-operator
mco-bootstrap machine-config-operator
cco-bootstrap cloud-credential-operator
cb-bootstrap cluster-bootstrap
cb-bootstrap hyperkube
cb-bootstrap cluster-policy-controller
cb-bootstrap cluster-kube-apiserver-operator Installer
END
}

# with_images COMMAND: pulls the images of the open stage, then runs the command, which reports an image that the payload does not have.
with_images() {
  local names name image command="${1}"
  names="$(stage_images | sed --quiet "s/^${record_stage:?} //p")"
  for name in ${names}; do
    if payload_has "${name}"; then
      image="$(image_for "${name}")"
      pull_image "${image}" "${image_limit_seconds}"
    fi
  done
  "${command}"
}

# run_tool NAME [PODMAN_OPTION…] -- IMAGE [ENTRY…] -- FLAG…: runs the tool in a container of that name, with /opt/openshift mounted as
# /assets, for at most TOOL_LIMIT (15m; format of timeout(1)). A flag with the prefix `?` is omitted if the tool does not have it; all
# others are required.
run_tool() {
  local name="${1}" options=() tool=() wanted=() flags=() part=options word chosen
  shift
  for word; do
    case "${part}:${word}" in
      options:--) part=tool ;;
      tool:--) part=flags ;;
      options:*) options+=("${word}") ;;
      tool:*) tool+=("${word}") ;;
      *) wanted+=("${word}") ;;
    esac
  done
  chosen="$(choose_flags "${name}" "${tool[@]}" -- "${wanted[@]}")" || return 1
  mapfile -t flags <<<"${chosen}"
  timeout --kill-after=30s "${TOOL_LIMIT:-15m}" podman run --quiet --rm --replace --net=host --log-driver=k8s-file --user=0 \
    --name="${name}" --volume="${SNO_HOME}:/assets:z" "${options[@]}" "${tool[@]}" "${flags[@]}"
}

# choose_flags NAME IMAGE [ENTRY…] -- FLAG…: prints the flags that the tool supports, one per line.
choose_flags() {
  local name="${1}" tool=() help flag long
  shift
  while [[ "${1}" != -- ]]; do
    tool+=("${1}")
    shift
  done
  shift
  help="$(help_of "${name}" "${tool[@]}")" || return 1
  help="$(<"${help}")"
  for flag; do
    long="${flag#\?}"
    if lists_flag "${help}" "${long}"; then
      printf '%s\n' "${long}"
    elif [[ "${flag}" == \?* ]]; then
      log "${name}: this release does not know ${long%%=*}, which is left out"
    else
      fail "${name}: this release does not know ${long%%=*}, without which it cannot be run" || return 1
    fi
  done
}

# lists_flag TEXT --FLAG[=VALUE]: whether the --help text lists the flag. Tools print flags with two dashes (pflag) or one
# (Go's flag package).
lists_flag() {
  local flag="${2%%=*}"
  [[ $'\n'"${1}"$'\n' =~ $'\n'[[:blank:]]*(-[A-Za-z], )?--?"${flag#--}"[[:space:]=] ]]
}

# help_of NAME IMAGE [ENTRY…]: prints the path of a file with the tool's --help output. The exit status of the tool is ignored (Go's
# flag package exits with 2), and an image without the tool prints an error that lists no flag. Only a failure of podman (125) or a
# timeout is a failure here.
help_of() {
  local file="${SNO_RUN_DIR}/help/${1}" text status=0
  if [[ ! -s "${file}" ]]; then
    pull_image "${2}" "${image_limit_seconds}" || return 1
    text="$(timeout --kill-after=30s 5m podman run --quiet --rm --replace --net=none --log-driver=none \
      --name="${1}-help" "${@:2}" --help 2>&1)" || status="${?}"
    if [[ "${status}" -eq 125 || "${status}" -eq 124 || "${status}" -eq 137 ]]; then
      fail "${1}: cannot ask the image ${2} for its flags: ${text}" || return 1
    fi
    keep "${file}" "${text}"
  fi
  printf '%s\n' "${file}"
}

# fresh FOLDER: removes a tool's output of an interrupted run.
fresh() { rm --recursive --force "${SNO_HOME:?}/${1}"; }

# copy_into FOLDER SOURCE…: copies each file, or the contents of each folder; a missing source is skipped.
copy_into() {
  local source
  mkdir --parents "${1}"
  for source in "${@:2}"; do
    if [[ -d "${source}" ]]; then
      cp --recursive "${source}/." "${1}/"
    elif [[ -e "${source}" ]]; then
      cp "${source}" "${1}/"
    fi
  done
}

# copy_as TARGET SOURCE
copy_as() {
  mkdir --parents "$(dirname "${1}")"
  cp "${2}" "${1}"
}

# start_static_pods FILE…: copies manifests into the kubelet's folder. The kubelet ignores names that begin with a dot, so each manifest
# appears atomically.
start_static_pods() {
  local folder="${SNO_ETC}/kubernetes/manifests" file name
  mkdir --parents "${folder}"
  for file; do
    name="$(basename "${file}")"
    cp "${file}" "${folder}/.${name}.new"
    mv --force "${folder}/.${name}.new" "${folder}/${name}"
  done
}
