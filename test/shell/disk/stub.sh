#!/bin/bash
# Stub for the programs of a machine in its last phases, linked under the name of each. Logs its arguments and prints the answer
# from the files below ${STUB}.
set -euo pipefail

program="${0##*/}"
{
  printf '%s' "${program}"
  printf '\x1f%s' "${@}"
  printf '\x1e'
} >>"${STUB}/calls"

# The name of the call: its arguments without options, such as `get-node-sno1`.
words=''
for word; do
  if [[ "${word}" != -* ]]; then words+="-${word//[^A-Za-z0-9._-]/_}"; fi
done

# A file ${STUB}/kill/PROGRAM-WORDS kills the script under test at this call. A number in the file is the number of calls that succeed
# before.
for name in "${program}" "${program}-${1:-}" "${program}${words}"; do
  if [[ -e "${STUB}/kill/${name}" ]]; then
    left="$(<"${STUB}/kill/${name}")"
    if ((left > 0)); then
      echo "$((left - 1))" >"${STUB}/kill/${name}"
      continue
    fi
    /usr/bin/rm "${STUB}/kill/${name}"
    kill -KILL "$(<"${STUB}/pid")" "${$}"
  fi
done

# must_fail NAME: whether the call must fail. ${STUB}/fail/NAME contains the number of remaining failures, or `always`.
must_fail() {
  local file="${STUB}/fail/${1}" left
  [[ -e "${file}" ]] || return 1
  left="$(<"${file}")"
  if [[ "${left}" == always ]]; then return 0; fi
  if ((left == 0)); then return 1; fi
  echo "$((left - 1))" >"${file}"
}

# answer NAME: prints ${STUB}/answers/NAME if it exists.
answer() {
  if [[ -e "${STUB}/answers/${1}" ]]; then cat "${STUB}/answers/${1}"; fi
}

# podman run [OPTION…] IMAGE [ARG…]: maps paths of the container to those of the host.
run_container() {
  local entry='' arg args=() from=() to=() i
  while [[ "${1}" == -* ]]; do
    case "${1}" in
      --volume=*)
        arg="${1#--volume=}"
        to+=("${arg%%:*}")
        arg="${arg#*:}"
        from+=("${arg%%:*}")
        ;;
      --entrypoint=*) entry="${1#--entrypoint=}" ;;
    esac
    shift
  done
  shift
  if [[ "${1:-}" == bootstrap-in-place ]]; then
    translate "${@:2}"
    return 0
  fi
  for arg; do
    for i in "${!from[@]}"; do
      case "${arg}" in
        "${from[i]}"/*) arg="${to[i]}${arg#"${from[i]}"}" ;;
        *="${from[i]}"/*) arg="${arg%%=*}=${to[i]}${arg#*="${from[i]}"}" ;;
      esac
    done
    args+=("${arg}")
  done
  if must_fail "${entry}"; then
    echo "${entry} fails as configured" >&2
    return 1
  fi
  if [[ -e "${STUB}/etcd-port" ]]; then real_etcd "${entry}" "${args[@]}"; else fake_etcd "${entry}" "${args[@]}"; fi
}

# real_etcd PROGRAM [ARG…]: runs the etcd tools of this machine with the port of the test.
real_etcd() {
  local arg args=()
  for arg in "${@:2}"; do args+=("${arg/#--endpoints=*/--endpoints=https:\/\/localhost:$(<"${STUB}/etcd-port")}"); done
  "${1}" "${args[@]}"
}

# fake_etcd PROGRAM [ARG…]
fake_etcd() {
  local arg folder=''
  case "${*}" in
    sh\ *) echo /usr/bin/etcdutl ;;
    *' endpoint status'*) answer etcd-endpoint-status ;;
    *' member list'*) answer etcd-member-list ;;
    *' snapshot save '*) printf 'a snapshot of etcd\n' >"${*: -1}" ;;
    *'snapshot status'*) answer etcd-snapshot-status ;;
    *'snapshot restore'*)
      for arg; do
        if [[ "${arg}" == --data-dir=* ]]; then folder="${arg#*=}"; fi
      done
      mkdir --parents "${folder}/member/snap" "${folder}/member/wal"
      cp "${4}" "${folder}/member/snap/db"
      ;;
    *) return 1 ;;
  esac
}

# translate FLAG…: cluster-bootstrap's subcommand, which is Butane. Uses the real Butane if ${BUTANE} is set.
translate() {
  local flag assets input='' output='' i
  assets="$(mktemp --directory "${STUB}/assets.XXXX")"
  for i in "${!from[@]}"; do ln --symbolic "${to[i]}" "${assets}${from[i]#/assets}"; done
  for flag; do
    case "${flag}" in
      --input=/assets/*) input="${assets}/${flag#--input=/assets/}" ;;
      --output=/assets/*) output="${assets}/${flag#--output=/assets/}" ;;
    esac
  done
  if must_fail cluster-bootstrap; then return 1; fi
  if [[ -n "${BUTANE:-}" ]]; then
    "${BUTANE}" --strict --files-dir "${assets}" "${input}" >"${output}"
  else
    "${NODE}" "${STAND_IN}" "${assets}" "${input}" >"${output}"
  fi
  if [[ -e "${STUB}/master-ignition-filter" ]]; then
    jq --from-file "${STUB}/master-ignition-filter" "${output}" >"${output}.x"
    cat "${output}.x" >"${output}"
  fi
}

# curl with --output FILE: writes the answer as the body.
fetch() {
  local previous='' arg
  if must_fail curl; then
    echo 'curl: (22) The requested URL returned error: 500' >&2
    return 22
  fi
  for arg; do
    if [[ "${previous}" == --output ]]; then answer curl >"${arg}"; fi
    previous="${arg}"
  done
}

podman() {
  case "${1} ${2}" in
    'image exists') [[ -e "${STUB}/images/${3##*/}" ]] ;;
    pull\ *)
      if must_fail pull; then
        echo 'Error: pinging container registry: i/o timeout' >&2
        return 125
      fi
      mkdir --parents "${STUB}/images"
      touch "${STUB}/images/${*##*/}"
      ;;
    run\ *) run_container "${@:2}" ;;
    ps\ *) if [[ "${*}" == *--quiet* ]]; then answer podman-ids; else answer podman-ps; fi ;;
    *) answer "podman${words}" ;;
  esac
}

# shown_disks DEVICE: the disk from ${STUB}/answers/disks.json, or all of them for another last argument; without that file lsblk.json.
shown_disks() {
  if [[ ! -e "${STUB}/answers/disks.json" ]]; then
    answer lsblk.json
  elif [[ "${1}" == /dev/* ]]; then
    jq --exit-status --arg device "${1}" '[.blockdevices[] | recurse(.children[]?) | select(.name == $device or .kname == $device)]
      | select(length > 0) | {blockdevices: .[:1]}' "${STUB}/answers/disks.json"
  else
    answer disks.json
  fi
}

oc() {
  if must_fail oc; then
    echo 'The connection to the server localhost:6443 was refused' >&2
    return 1
  fi
  if must_fail "oc${words}"; then return 1; fi
  if [[ "${*}" == *--filename=-* ]]; then cat >"${STUB}/given"; fi
  answer "oc${words}"
}

case "${program}" in
  rm) exec /usr/bin/rm "${@}" ;;
  podman) podman "${@}" ;;
  oc) oc "${@}" ;;
  curl) fetch "${@}" ;;
  getent) answer "getent-${2}" | grep . || exit 2 ;;
  ip) answer "ip${words}" ;;
  lsblk) case "${*}" in *--json*) shown_disks "${*: -1}" ;; *PTTYPE*) answer lsblk-pttype ;; *) answer lsblk ;; esac ;;
  journalctl) if [[ "${*}" == *with-unit* ]]; then answer journal; else answer "journalctl"; fi ;;
  crictl) if must_fail crictl; then exit 1; fi && answer "crictl${words}" ;;
  *)
    if must_fail "${program}"; then exit 1; fi
    answer "${program}"
    ;;
esac
