#!/usr/bin/env bash
# Keeps the record of a service: when it and its stages began and ended, how, and why not.
#
# When:   sourced by every script that runs as a service; sourcing writes nothing yet, record_begin does.
# Writes: ${SERVICE_RECORDS_DIR}/NAME.json, a JSON array that `openshift-install analyze` reads. An entry holds timestamp
#         and phase, and where they apply preCommand, postCommand, stage, result, errorLine, errorMessage; all text.
# Stops:  a stage begun while another is open, or ended when none is, ends the script with 1.
#
# NAME is ${SERVICE_RECORD_NAME} (units set it to %N), or else the script's own name. A script gives its own cleanup
# by adding function names to the array record_cleanups; they run at the end, whatever the result.
# A program that a recorded service runs may use this library too: its stages go into the same record, and only the
# service that began it records the service's start and end.

SERVICE_RECORDS_DIR="${SERVICE_RECORDS_DIR:-${SNO_ROOT:-}/var/log/openshift}"
SERVICE_RECORD_NAME="${SERVICE_RECORD_NAME:-$(basename "${0}" .sh)}"
record_cleanups=()
record_kind=service
record_command=
record_stage=
record_error_place=
record_is_nested=no

# record_begin: the service has started. From here on its end is recorded by itself, with the place of the first error.
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

# record_end STATUS: closes what is open; the EXIT trap calls it.
record_end() {
  local result=success cleanup
  [[ "${1}" -eq 0 ]] || result=failure
  trap - ERR
  set +o errexit
  for cleanup in "${record_cleanups[@]}"; do "${cleanup}"; done
  if [[ -n "${record_stage}" ]]; then record_stage_end "${result}"; fi
  if [[ "${record_is_nested}" == no ]]; then record_entry "${record_kind} end" "${result}"; fi
}

# record_entry PHASE [RESULT]: adds one entry; the file is replaced whole, so that a reader never sees half of it.
record_entry() {
  local file="${SERVICE_RECORDS_DIR}/${SERVICE_RECORD_NAME}.json" earlier='[]' place='' message=''
  if [[ "${2:-}" == failure ]]; then
    place="${record_error_place}"
    message="$(record_last_words)"
  fi
  mkdir --parents "${SERVICE_RECORDS_DIR}"
  if [[ -s "${file}" ]]; then earlier="$(<"${file}")"; fi
  if ! command -v jq >/dev/null; then
    record_plain_entry "${1}" "${2:-}" >"${file}.new"
    mv --force "${file}.new" "${file}"
    return
  fi
  jq --compact-output \
    --arg timestamp "$(date --utc +%Y-%m-%dT%H:%M:%SZ)" --arg phase "${1}" --arg result "${2:-}" \
    --arg kind "${record_kind}" --arg command "${record_command}" --arg stage "${record_stage}" \
    --arg errorLine "${place}" --arg errorMessage "${message}" \
    '. + [{
      $timestamp,
      preCommand: (if $kind == "pre-command" then $command else "" end),
      postCommand: (if $kind == "post-command" then $command else "" end),
      $stage, $phase, $result, $errorLine, $errorMessage
    } | map_values(select(. != ""))]' <<<"${earlier}" >"${file}.new"
  mv --force "${file}.new" "${file}"
}

# record_plain_entry PHASE [RESULT]: prints the record with an entry more, on a machine without jq; it has no words of the journal,
# which JSON might have to quote.
record_plain_entry() {
  local members
  members="\"timestamp\":\"$(date --utc +%Y-%m-%dT%H:%M:%SZ)\",\"phase\":\"${1}\""
  if [[ -n "${record_command}" ]]; then members+=",\"${record_kind/-c/C}\":\"${record_command}\""; fi
  if [[ -n "${record_stage}" ]]; then members+=",\"stage\":\"${record_stage}\""; fi
  if [[ -n "${2}" ]]; then members+=",\"result\":\"${2}\""; fi
  if [[ "${2}" == failure ]]; then members+=',"errorMessage":"this machine has no jq"'; fi
  if [[ "${earlier}" != '[]' ]]; then members="${earlier:1:-1},{${members}}"; else members="{${members}}"; fi
  printf '[%s]\n' "${members}"
}

# The last lines the service printed: the best short answer to "why". podman notes in the journal, beside that, what becomes of its
# containers and images; systemd what becomes of the service. Source: systemd.journal-fields(7), _TRANSPORT
record_last_words() {
  timeout --kill-after=10s 60s journalctl --unit="${SERVICE_RECORD_NAME}.service" --lines=3 --output=cat \
    _TRANSPORT=stdout 2>/dev/null || true
}
