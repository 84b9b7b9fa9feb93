#!/usr/bin/env bash
# Sends the progress of the installation to the report server of sno-config.yaml: services and stages with times and results, no other
# parts of the service records. Each report is complete, so a lost report does no harm.
#
# When:   sno-report.service, in the live system (`live`) and on the installed node (`node`). No other unit waits for it.
# Writes: below ${RUNTIME_DIRECTORY}, in memory, readable by root only: the token as a header for curl, the CA certificates, the last report.
# Stops:  0 after the server received the report of the complete cluster with its post-install manifests, or after a day; 1 if its files
#         are missing.
#         Failed requests are logged and retried. The clean-up may remove the files below ${SNO_HOME} while the script runs.
set -Eeuo pipefail
shopt -s inherit_errexit

system="${1}"
root="${SNO_ROOT:-}"
home="${SNO_HOME:-${root}/opt/openshift}"
# Exists only with post-install manifests, which are applied after the clean-up of the installation.
post_install="${root}/opt/sno-post-install"
records="${SERVICE_RECORDS_DIR:-${root}/var/log/openshift}"
uptime_file="${SNO_UPTIME_FILE:-/proc/uptime}"
work_dir="${RUNTIME_DIRECTORY:-${root}/run/sno-report}"
look_seconds=5
# An unchanged report is sent again after this time, so the server can tell a stuck node from one that is off.
resend_seconds=300
longest_pause_seconds=300
limit_seconds=86400
# The newest entries only, so a report stays below 8 KiB.
entries=40
sent=
sent_at=
last_error=
pause=0
retry_at=0
final=no

main() {
  local begun now body
  take_files
  begun="$(uptime_seconds)"
  body="$(report_text)"
  while :; do
    now="$(uptime_seconds)"
    if is_complete; then final=yes; fi
    if [[ "${final}" == yes ]]; then body="$(final_text "${body}")"; else body="$(report_text)"; fi
    if ((now >= retry_at)) && is_due "${body}" "${now}"; then send "${body}" "${now}"; fi
    if [[ "${final}" == yes && "${sent}" == "${body}" ]]; then return 0; fi
    if ((now - begun >= limit_seconds)); then
      log 'reports end after one day'
      return 0
    fi
    sleep "${look_seconds}"
  done
}

# Copies the files to memory: the clean-up of the installed node removes them before the last report. Post-install manifests have copies.
take_files() {
  local files="${home}"
  if [[ -e "${post_install}/report-secret" ]]; then files="${post_install}"; fi
  umask 077
  mkdir --parents "${work_dir}"
  printf 'header = "Authorization: Bearer %s"\nurl = "%s"\n' "$(<"${files}/report-secret")" "$(<"${files}/report-url")" >"${work_dir}/curl.conf"
  if [[ -e "${files}/report-ca.crt" ]]; then
    cp "${files}/report-ca.crt" "${work_dir}/ca.crt"
    printf 'cacert = "%s"\n' "${work_dir}/ca.crt" >>"${work_dir}/curl.conf"
  fi
}

# The clean-up removes the env file last, together with the scripts; sno-post-install.service removes the list of objects last.
is_complete() { [[ "${system}" == node && ! -e "${home}/sno-install.env" && ! -e "${post_install}/objects.tsv" ]]; }

# report_text: the newest entries of all service records, oldest first, except for services in the background. An entry has names, time
# and result, but no output of programs.
report_text() {
  local file
  for file in "${records}"/*.json "${post_install}"/records/*.json; do
    case "${file##*/}" in
      '*.json' | progress.json | approve-csr.json | sno-fetch-images.json) continue ;;
    esac
    jq --compact-output --arg service "$(basename "${file}" .json)" '.[] + { $service }' "${file}" 2>/dev/null || true
  done | jq --slurp --compact-output --arg system "${system}" --argjson entries "${entries}" '
    { $system, complete: false, stages: (
      [.[] | select(.preCommand == null and .postCommand == null and .timestamp != null)
        | { service, stage, phase, result, at: .timestamp } | del(..|nulls)]
      | sort_by(.at) | .[-$entries:]) }'
}

# final_text REPORT: the report, marked as complete.
final_text() { jq --compact-output '.complete = true' <<<"${1}"; }

# is_due REPORT NOW
is_due() { [[ "${1}" != "${sent}" ]] || ((${2} - sent_at >= resend_seconds)); }

# send REPORT NOW: logs an error once until it changes; each failure doubles the pause before the next attempt.
send() {
  local message
  printf '%s' "${1}" >"${work_dir}/report.json"
  if message="$(curl --config "${work_dir}/curl.conf" --silent --show-error --fail --globoff --connect-timeout 10 --max-time 30 \
    --proto '=https' --header 'Content-Type: application/json' --data-binary "@${work_dir}/report.json" --output /dev/null 2>&1)"; then
    if [[ -n "${last_error}" ]]; then log 'the report server answers again'; fi
    sent="${1}"
    sent_at="${2}"
    last_error=
    pause=0
    retry_at=0
    return 0
  fi
  if [[ "${message}" != "${last_error}" ]]; then log "the report could not be sent and is retried: ${message}"; fi
  last_error="${message}"
  pause=$((pause == 0 ? look_seconds : pause * 2))
  if ((pause > longest_pause_seconds)); then pause="${longest_pause_seconds}"; fi
  retry_at=$((${2} + pause))
}

# uptime_seconds: whole seconds since boot; not affected by changes of the clock.
uptime_seconds() {
  local seconds
  read -r seconds _ <"${uptime_file}"
  printf '%s\n' "${seconds%%.*}"
}

log() { printf '%s\n' "${*}" >&2; }

main
exit
