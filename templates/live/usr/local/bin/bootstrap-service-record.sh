#!/usr/bin/env bash
# Records when a service and its stages began and ended, with result and reason of a failure.
#
# When:   sourced by every script that runs as a service; record_begin writes the first entry.
# Writes: ${SERVICE_RECORDS_DIR}/NAME.json, a JSON array that `openshift-install analyze` reads. An entry has timestamp
#         and phase, and where they apply preCommand, postCommand, stage, result, errorLine, errorMessage; all strings.
# Stops:  1 if a stage begins while another is open, or ends while none is open.
#
# NAME is ${SERVICE_RECORD_NAME} (units set it to %N), otherwise the script's name. A script registers clean-up functions in the array
# record_cleanups; they run at the end, whatever the result.
# A program started by a recorded service may use this library too: its stages go into the same record, and only the service that
# began the record writes its start and end.

SERVICE_RECORDS_DIR="${SERVICE_RECORDS_DIR:-${SNO_ROOT:-}/var/log/openshift}"
SERVICE_RECORD_NAME="${SERVICE_RECORD_NAME:-$(basename "${0}" .sh)}"
record_cleanups=()
record_kind=service
record_command=
record_stage=
record_error_place=
record_is_nested=no

# record_begin: records the start of the service. Its end is recorded automatically, with the place of the first error.
record_begin() {
  set -o errtrace
  trap 'record_error_place="${LINENO} ${FUNCNAME[0]:-main} ${BASH_SOURCE[0]:-${0}}"' ERR
  trap 'record_end $?' EXIT
  if [[ "${SERVICE_RECORD_OPEN:-}" == "${SERVICE_RECORD_NAME}" ]]; then
    record_is_nested=yes
  else
    export SERVICE_RECORD_NAME SERVICE_RECORD_OPEN="${SERVICE_RECORD_NAME}"
    record_entry "${record_kind} start"
  fi
}

# record_begin_command pre-command|post-command NAME: the same for a command that runs before or after the service.
record_begin_command() {
  record_kind="${1}"
  record_command="${2}"
  record_begin
}

# record_stage_start NAME
record_stage_start() {
  if [[ -n "${record_stage}" ]]; then
    echo "stage ${1} was started while stage ${record_stage} is still open" >&2
    exit 1
  fi
  record_stage="${1}"
  record_error_place=
  record_entry 'stage start'
}

record_stage_success() { record_stage_end success; }

record_stage_failure() { record_stage_end failure; }

# record_stage_end success|failure
record_stage_end() {
  if [[ -z "${record_stage}" ]]; then
    echo 'the end of a stage was recorded though none is open' >&2
    exit 1
  fi
  record_entry 'stage end' "${1}"
  record_stage=
}

# record_end STATUS: ends the open stage and the record; the EXIT trap calls it.
record_end() {
  local result=success cleanup
  [[ "${1}" -eq 0 ]] || result=failure
  trap - ERR
  set +o errexit
  for cleanup in "${record_cleanups[@]}"; do "${cleanup}"; done
  if [[ -n "${record_stage}" ]]; then record_stage_end "${result}"; fi
  if [[ "${record_is_nested}" == no ]]; then record_entry "${record_kind} end" "${result}"; fi
}

# record_entry PHASE [RESULT]: adds one entry. The file is replaced as a whole, so that a reader never sees a partial file. A file that
# is no array, after a crash of the machine, is replaced.
record_entry() {
  local file="${SERVICE_RECORDS_DIR}/${SERVICE_RECORD_NAME}.json" earlier='' pre='' post='' place='' message='' entry
  if [[ "${record_kind}" == pre-command ]]; then pre="${record_command}"; fi
  if [[ "${record_kind}" == post-command ]]; then post="${record_command}"; fi
  if [[ "${2:-}" == failure ]]; then
    place="${record_error_place}"
    message="$(record_last_words)"
  fi
  if [[ ! -d "${SERVICE_RECORDS_DIR}" ]]; then mkdir --parents "${SERVICE_RECORDS_DIR}"; fi
  entry="$(record_object timestamp "$(date --utc +%Y-%m-%dT%H:%M:%SZ)" preCommand "${pre}" postCommand "${post}" \
    stage "${record_stage}" phase "${1}" result "${2:-}" errorLine "${place}" errorMessage "${message}")"
  if [[ -s "${file}" ]]; then earlier="$(<"${file}")"; fi
  if [[ "${earlier}" == '[{'*'}]' ]]; then earlier="${earlier%]},"; else earlier='['; fi
  printf '%s%s]\n' "${earlier}" "${entry}" >"${file}.new"
  mv --force "${file}.new" "${file}"
}

# record_object NAME TEXT [NAME TEXT]…: a JSON object without empty members. Names and times are not quoted by jq, which saves a process
# for each of them; output of programs is.
record_object() {
  local LC_ALL=C members='' quoted
  while (("${#}" > 0)); do
    if [[ "${2}" == *[^A-Za-z0-9\ :._/-]* ]]; then
      if quoted="$(jq --null-input --arg text "${2}" '$text')"; then members+=",\"${1}\":${quoted}"; fi
    elif [[ -n "${2}" ]]; then
      members+=",\"${1}\":\"${2}\""
    fi
    shift 2
  done
  printf '{%s}' "${members#,}"
}

# The last lines of the service: the shortest explanation of a failure. podman's messages about containers and images and systemd's about
# the service are left out. Source: systemd.journal-fields(7), _TRANSPORT
record_last_words() {
  if ! command -v jq >/dev/null; then
    echo 'this machine has no jq'
    return 0
  fi
  timeout --kill-after=10s 60s journalctl --unit="${SERVICE_RECORD_NAME}.service" --lines=3 --output=cat \
    _TRANSPORT=stdout 2>/dev/null || true
}
