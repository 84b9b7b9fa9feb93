#!/usr/bin/env bash
# Builds the Ignition config of the installed node: fetches the master's config, completes the Butane document with the files of
# node-files.list, translates it with cluster-bootstrap, and checks input and output.
#
# When:   sourced by bootstrap-in-place.sh after sno-common.sh; that script defines refuse MESSAGE.
# Writes: below /opt/openshift: original-master.ign, bootstrap-in-place/{hostname,master-update.complete.fcc}, master.ign; all 0600.
# Stops:  nothing; functions fail with a message or call refuse.

master_config="${SNO_HOME}/original-master.ign"
master_ignition="${SNO_HOME}/master.ign"
bip_dir="${SNO_HOME}/bootstrap-in-place"
complete_document="${bip_dir}/master-update.complete.fcc"
# coreos-installer writes the config to the boot partition (384 MiB), which also holds a kernel and an initramfs of about 120 MiB, and
# the first boot reads it into memory.
SNO_MASTER_IGNITION_LIMIT_MIB="${SNO_MASTER_IGNITION_LIMIT_MIB:-160}"
# The machine-config server's plain port. Source: machine-config-operator, bootstrap pod
SNO_MASTER_CONFIG_URL="${SNO_MASTER_CONFIG_URL:-http://localhost:22624/config/master}"
fetch_problem=

fetch_master_ignition() {
  wait_until "the machine-config server's config for the master" 900 10 fetch_once ||
    refuse "the machine-config server gives no usable config for the master: ${fetch_problem}"
}

# Without the Accept header the server answers in spec 2.2. The error output is kept for the message.
fetch_once() {
  local status=0
  fetch_problem="$(curl --fail --silent --show-error --max-time 60 --output "${master_config}.new" \
    --header 'Accept: application/vnd.coreos.ignition+json;version=3.2.0' "${SNO_MASTER_CONFIG_URL}" 2>&1)" || status="${?}"
  # Source: curl(1), EXIT CODES: 23 is a local write error.
  if ((status == 23)); then
    fetch_problem="its answer cannot be written below ${SNO_HOME}, where $(df --human-readable --output=avail "${SNO_HOME}" | tail --lines=1 | tr --delete ' ') is left"
  fi
  ((status == 0)) &&
    fetch_problem="$(check_master_config "${master_config}.new")" &&
    mv --force "${master_config}.new" "${master_config}"
}

# check_master_config FILE: prints why the answer cannot be written to the disk and returns 1.
check_master_config() {
  local version
  if [[ ! -s "${1}" ]]; then
    echo 'the answer is empty'
    return 1
  fi
  if ! version="$(jq --raw-output '.ignition.version | strings' "${1}" 2>/dev/null)" || [[ -z "${version}" ]]; then
    echo 'the answer is not an Ignition config'
    return 1
  fi
  if [[ ! "${version}" =~ ^3\.[0-2]\.0$ ]]; then
    echo "the answer is an Ignition config of version ${version}, but 3.2.0 was asked for"
    return 1
  fi
  if ! jq --exit-status '(.storage.files | length) > 0 and (.systemd.units | length) > 0' "${1}" >/dev/null; then
    echo 'the answer has no files or no units: the machine-config operator may not have finished'
    return 1
  fi
}

# build_master_ignition CLUSTER_BOOTSTRAP_IMAGE
build_master_ignition() {
  local message
  (umask 022 && keep "${bip_dir}/hostname" "$(node_name)")
  complete_butane_document || refuse 'a file that the installed node starts from is missing'
  translate_document "${1}"
  message="$(check_master_ignition "${master_ignition}.new")" || refuse "${message}"
  mv --force "${master_ignition}.new" "${master_ignition}"
}

# The document is JSON, which is also YAML, so that jq can complete it and no name needs quoting.
complete_butane_document() {
  local files units text
  files="$(carried_files)" && units="$(carried_units)" || return 1
  # Not as an argument: Linux limits one to 128 KiB.
  text="$(jq --rawfile files /dev/stdin --argjson units "${units}" '
    def octal: reduce (explode[] - 48) as $digit (0; . * 8 + $digit);
    .storage.files = [$files | split("\n")[] | select(. != "") | split("\t")
      | { path: .[2], mode: (.[0] | octal), overwrite: true, contents: { local: .[1] } }]
    | .systemd.units = $units' "${bip_dir}/master-update.fcc" <<<"${files}")" || return 1
  (umask 077 && keep "${complete_document}" "${text}")
}

# carried_files: one line per file: mode, source, path on the node, separated by tabs.
carried_files() {
  local mode source path theirs
  theirs="$(jq --raw-output '.storage.files[].path' "${master_config}")" || return 1
  while read -r _ mode source path; do
    [[ "${mode}" =~ ^0[0-7]{3}$ ]] || continue
    if [[ "${path}" == /etc/hostname ]] && grep --quiet --line-regexp --fixed-strings "${path}" <<<"${theirs}"; then
      log 'the host name comes from a MachineConfig'
      continue
    fi
    carry "${mode}" "${source}" "${path}" || return 1
  done <"${bip_dir}/node-files.list"
}

# carry MODE SOURCE PATH: prints the line of one file, or of each file of a folder (with trailing slash). Butane's trees would make
# private keys readable by all, so modes are set per file. A source with the prefix ? may be missing.
carry() {
  local source="${2#\?}" from name
  from="$(host_path "${source}")"
  if [[ -d "${from}" && "${source}" == */ ]]; then
    (cd "${from}" && find -L . -type f -printf '%P\n' | LC_ALL=C sort) | while read -r name; do
      printf '%s\t%s\t%s\n' "${1}" "${source}${name}" "${3}${name}"
    done
  elif [[ -f "${from}" ]]; then
    printf '%s\t%s\t%s\n' "${1}" "${source}" "${3}"
  elif [[ "${2}" != \?* ]]; then
    fail "${from} is missing, which the installed node needs as ${3}"
  fi
}

# host_path SOURCE: the path of a source of node-files.list in the live system.
host_path() {
  case "${1}" in
    openshift/*) echo "${SNO_HOME}/${1#*/}" ;;
    kubernetes/*) echo "${SNO_ETC}/kubernetes/${1#*/}" ;;
    bin/*) echo "${SNO_BIN_DIR}/${1#*/}" ;;
  esac
}

# carried_units: the units of node-files.list as a JSON array.
carried_units() {
  local mode source path units='[]'
  while read -r _ mode source path; do
    [[ "${mode}" == unit ]] || continue
    units="$(jq --arg name "$(basename "${path}")" --rawfile contents "$(host_path "${source}")" \
      '. + [{ $name, enabled: true, $contents }]' <<<"${units}")" || return 1
  done <"${bip_dir}/node-files.list"
  printf '%s\n' "${units}"
}

# translate_document CLUSTER_BOOTSTRAP_IMAGE. Source of the subcommand and its flags: openshift/cluster-bootstrap
# cmd/cluster-bootstrap/bootstrapinplace.go
translate_document() {
  install --mode=0600 /dev/null "${master_ignition}.new"
  timeout --kill-after=30s 10m podman run --quiet --rm --replace --name=master-ignition \
    --log-driver=none --net=none --user=0 --security-opt=label=disable --volume="${SNO_HOME}:/assets/openshift" \
    --volume="${SNO_ETC}/kubernetes:/assets/kubernetes:ro" --volume="${SNO_BIN_DIR}:/assets/bin:ro" \
    "${1}" bootstrap-in-place --pretty=false --asset-dir=/assets \
    --input="/assets/openshift/bootstrap-in-place/$(basename "${complete_document}")" \
    --output=/assets/openshift/master.ign.new >&2
}

# check_master_ignition FILE: prints why the config must not be written to the disk and returns 1.
check_master_ignition() {
  local size_mib finding
  size_mib="$(($(stat --format=%s "${1}") / 1024 / 1024))"
  if ((size_mib >= SNO_MASTER_IGNITION_LIMIT_MIB)); then
    echo "the node's Ignition config takes ${size_mib} MiB; the boot partition has room for ${SNO_MASTER_IGNITION_LIMIT_MIB} MiB"
    return 1
  fi
  finding="$(jq --raw-output --slurpfile asked "${complete_document}" --slurpfile merged "${master_config}" '
    def names: map(.path) | sort;
    def modes: map([.path, .mode]) | sort;
    def everything: [.storage | .files[]?, .directories[]?, .links[]?];
    ((.storage.files // []) | names) as $paths | ([.systemd.units[]?.name] | sort) as $units |
    (everything | names) as $ours | ($merged[0] | everything | names) as $theirs |
    if .ignition.version != "3.1.0" then "it is of version \(.ignition.version)"
    elif [.ignition.config.merge[]?.source | startswith("data:")] != [true] then "it does not hold the config of the master"
    elif $paths != ($paths | unique) then "it names a file twice"
    elif ((.storage.files // []) | modes) != ($asked[0].storage.files | modes) then "its files or their modes are not those asked for"
    elif ((.storage.directories // []) | modes) != ($asked[0].storage.directories | modes) then "its folders are not those asked for"
    elif $units != ([$asked[0].systemd.units[].name] | sort) then "its units are not those asked for"
    elif $theirs - $ours != $theirs then
      "the config of the master writes the same paths"
    elif [$merged[0].systemd.units[].name] - $units != [$merged[0].systemd.units[].name] then
      "the config of the master has units of the same name"
    else "" end' "${1}")" || finding='it is not JSON'
  if [[ -n "${finding}" ]]; then
    echo "the node's Ignition config cannot be used: ${finding}"
    return 1
  fi
}
