#!/bin/bash
# Stub for the programs of a node, linked under the name of each. Logs its arguments and prints the answer from the files below
# ${STUB}. `sleep` does not wait: it advances the clocks that the scripts read by its argument times ${STUB}/haste.
set -euo pipefail

program="${0##*/}"
# A single write, because stubs run at the same time.
printf -v call '\x1f%s' "${@}"
printf '%s\x1e' "${program}${call}" >>"${STUB}/calls"

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

# advance SECONDS
advance() {
  local up
  read -r up _ <"${STUB}/uptime"
  echo "$((up + ${1})) 0" >"${STUB}/uptime"
  echo "$(($(<"${STUB}/answers/clock") + ${1}))" >"${STUB}/answers/clock"
}

# key_of IMAGE: the last part of its name, without tag and digest.
key_of() {
  local name="${1##*/}"
  printf '%s\n' "${name%%[:@]*}"
}

podman() {
  local command="${1}"
  shift
  case "${command} ${1}" in
    'image exists') [[ -e "${STUB}/images/$(key_of "${2}")" ]] ;;
    'image inspect') inspect "${@: -1}" "${*}" ;;
    pull\ *) pull "${@: -1}" ;;
    run\ *) run "${@}" ;;
    *) return 125 ;;
  esac
}

# If the pipe ${STUB}/begun exists, each pull writes its key to it, then waits for a line in the pipe ${STUB}/gate-KEY.
pull() {
  local key
  key="$(key_of "${1}")"
  if [[ -p "${STUB}/begun" ]]; then
    mkfifo "${STUB}/gate-${key}"
    echo "${key}" >"${STUB}/begun"
    read -r _ <"${STUB}/gate-${key}"
  fi
  if must_fail "pull-${key}"; then
    answer "pull-${key}" | grep . >&2 ||
      echo "Error: initializing source docker://${1}: pinging container registry: i/o timeout" >&2
    return 125
  fi
  touch "${STUB}/images/${key}"
}

inspect() {
  if [[ ! -e "${STUB}/images/$(key_of "${1}")" ]]; then
    echo "Error: ${1}: image not known" >&2
    return 125
  fi
  if [[ "${2}" == *'{{.Architecture}}'* ]]; then answer architecture; else answer inspect; fi
}

# run [OPTION…] IMAGE [WORD…] [FLAG…]: the name of the tool consists of the image's key and the words.
run() {
  local assets='' copy='' entry='' tool
  while [[ "${1}" == -* ]]; do
    case "${1}" in
      --volume=*:/copy:z) copy="${1#--volume=}" copy="${copy%%:*}" ;;
      --volume=*:/assets:z) assets="${1#--volume=}" assets="${assets%%:*}" ;;
      --entrypoint=*) entry="${1#--entrypoint=}" ;;
    esac
    shift
  done
  if [[ ! -e "${STUB}/images/$(key_of "${1}")" ]]; then return 125; fi
  if [[ "${entry}" == cat ]]; then
    cat "${STUB}/payload/${2##*/}"
    return 0
  fi
  if [[ "${entry}" == cp ]]; then
    cp --recursive "${STUB}/payload/." "${copy}/"
    return 0
  fi
  tool="$(key_of "${1}")"
  shift
  if [[ -n "${entry}" ]]; then tool+="-${entry}"; fi
  while [[ "${#}" -gt 0 && "${1}" != -* ]]; do
    tool+="-${1##*/}"
    shift
  done
  if [[ "${*}" == --help ]]; then show_help "${tool}"; else run_tool "${tool}" "${assets}" "${@}"; fi
}

show_help() {
  if must_fail "help-${1}"; then return 125; fi
  if [[ ! -e "${STUB}/tools/${1}/help" ]]; then
    echo "Error: unknown command for ${1}" >&2
    return 1
  fi
  cat "${STUB}/tools/${1}/help"
  return "$(<"${STUB}/tools/${1}/help-status")"
}

# run_tool NAME ASSETS FLAG…: rejects unknown flags like the real tool, and writes its output to the requested folder.
run_tool() {
  local name="${1}" assets="${2}" flag known='' output=''
  shift 2
  if [[ -e "${STUB}/tools/${name}/flags" ]]; then known="$(<"${STUB}/tools/${name}/flags")"; fi
  for flag; do
    if [[ -e "${STUB}/tools/${name}/flags" && "${flag}" == -* && $'\n'"${known}"$'\n' != *$'\n'"${flag%%=*}"$'\n'* ]]; then
      echo "Error: unknown flag: ${flag%%=*}" >&2
      return 1
    fi
    case "${flag}" in --asset-output-dir=* | --dest-dir=* | --output-dir=*) output="${flag#*=}" ;; esac
  done
  if must_fail "${name}"; then
    answer "${name}" >&2
    echo "${name} fails as configured" >&2
    return 1
  fi
  if [[ "${name}" == cluster-bootstrap-start ]]; then create_manifests "${assets}/manifests"; fi
  if [[ -n "${output}" && -d "${STUB}/tools/${name}/output" ]]; then
    mkdir --parents "${output/#\/assets/"${assets}"}"
    cp --recursive "${STUB}/tools/${name}/output/." "${output/#\/assets/"${assets}"}/"
  fi
}

# create_manifests FOLDER: prints what cluster-bootstrap prints, except for the files in ${STUB}/answers/never-created. Prints
# ${STUB}/answers/load-failure instead, if it exists.
create_manifests() {
  local file never=''
  if [[ -e "${STUB}/answers/load-failure" ]]; then
    answer load-failure
    return 0
  fi
  never="$(answer never-created)"
  printf 'Sending bootstrap-success event.'
  (cd "${1}" && find . -type f -printf '%P\n') | LC_ALL=C sort | while read -r file; do
    if [[ $'\n'"${never}"$'\n' == *$'\n'"${file}"$'\n'* ]]; then continue; fi
    printf 'Created "%s" configmaps.v1./%s -n kube-system\n' "$(sed 's/[\"]/\\&/g' <<<"${file}")" "${file%.*}"
  done
}

# Keeps a copy of temporary files in the arguments, as ${STUB}/given/PROGRAM.
for word; do
  case "${word}" in --skip-list=*) mkdir --parents "${STUB}/given" && cp "${word#*=}" "${STUB}/given/${program}" ;; esac
done

case "${program}" in
  podman) podman "${@}" ;;
  sleep) advance "$((${1} * $(<"${STUB}/haste")))" ;;
  date) if [[ "${*}" == +%s ]]; then cat "${STUB}/answers/clock"; else exec /usr/bin/date "${@}"; fi ;;
  systemctl) if must_fail "systemctl-${1}"; then exit 3; fi ;;
  getent) answer "getent-${1}-${2}" | grep . || exit 2 ;;
  ip) answer "ip-${*: -1}" ;;
  *)
    if must_fail "${program}" || must_fail "${program}-${3:-}"; then exit 1; fi
    answer "${program}"
    ;;
esac
