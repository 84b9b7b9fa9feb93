#!/usr/bin/env bash
# Reports how far the installation is to the server that sno-config.yaml names: names of services and stages with their times
# and results, nothing else of the records. Each report has all that is to be said, so that one that is lost is made good by the next.
#
# When:   sno-report.service, in the live system (`live`) and on the installed node (`node`), beside everything else: nobody waits for it.
# Writes: below ${RUNTIME_DIRECTORY}, in memory and for root alone: the token as a header for curl, the authorities, the last report.
# Stops:  0 when the cluster is complete and that was taken, or after a day; with its system at a reboot; 1 when its files are missing.
#         A server that does not answer is only logged. Once it runs it needs no other file: the clean-up removes them all.
set -Eeuo pipefail
shopt -s inherit_errexit

system="${1}"
root="${SNO_ROOT:-}"
home="${SNO_HOME:-${root}/opt/openshift}"
records="${SERVICE_RECORDS_DIR:-${root}/var/log/openshift}"
uptime_file="${SNO_UPTIME_FILE:-/proc/uptime}"
own="${RUNTIME_DIRECTORY:-${root}/run/sno-report}"
look_seconds=5
# The server is to hear of a node that is stuck, too.
quiet_seconds=300
longest_pause_seconds=300
limit_seconds=86400
# So many of the newest entries: what is sent stays below 8 KiB.
entries=40
said=
said_at=
trouble=
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
    if ((now >= retry_at)) && is_news "${body}" "${now}"; then send "${body}" "${now}"; fi
    if [[ "${final}" == yes && "${said}" == "${body}" ]]; then return 0; fi
    if ((now - begun >= limit_seconds)); then
      log 'reports end after one day'
      return 0
    fi
    sleep "${look_seconds}"
  done
}

# The clean-up of the installed node removes what lies on the disk before the last report.
take_files() {
  umask 077
  mkdir --parents "${own}"
  printf 'header = "Authorization: Bearer %s"\nurl = "%s"\n' "$(<"${home}/report-secret")" "$(<"${home}/report-url")" >"${own}/curl.conf"
  if [[ -e "${home}/report-ca.crt" ]]; then
    cp "${home}/report-ca.crt" "${own}/ca.crt"
    printf 'cacert = "%s"\n' "${own}/ca.crt" >>"${own}/curl.conf"
  fi
}

# The env file is the last that the clean-up removes, together with the scripts.
is_complete() { [[ "${system}" == node && ! -e "${home}/sno-install.env" ]]; }

# report_text: the newest entries of all service records, but for those that only wait, oldest first. Of an entry it takes names, time
# and result, never what programs have said.
report_text() {
  local file
  for file in "${records}"/*.json; do
    case "${file##*/}" in
      '*.json' | progress.json | approve-csr.json) continue ;;
    esac
    jq --compact-output --arg service "$(basename "${file}" .json)" '.[] + { $service }' "${file}" 2>/dev/null || true
  done | jq --slurp --compact-output --arg system "${system}" --argjson entries "${entries}" '
    { $system, complete: false, stages: (
      [.[] | select(.preCommand == null and .postCommand == null and .timestamp != null)
        | { service, stage, phase, result, at: .timestamp } | del(..|nulls)]
      | sort_by(.at) | .[-$entries:]) }'
}

# final_text REPORT: the same, with the cluster complete.
final_text() { jq --compact-output '.complete = true' <<<"${1}"; }

# is_news REPORT NOW
is_news() { [[ "${1}" != "${said}" ]] || ((${2} - said_at >= quiet_seconds)); }

# send REPORT NOW: a failure is logged when it is another one, and makes the next try come later each time.
send() {
  local message
  printf '%s' "${1}" >"${own}/report.json"
  if message="$(curl --config "${own}/curl.conf" --silent --show-error --fail --globoff --connect-timeout 10 --max-time 30 \
    --proto '=https' --header 'Content-Type: application/json' --data-binary "@${own}/report.json" --output /dev/null 2>&1)"; then
    if [[ -n "${trouble}" ]]; then log 'the report server answers again'; fi
    said="${1}"
    said_at="${2}"
    trouble=
    pause=0
    retry_at=0
    return 0
  fi
  if [[ "${message}" != "${trouble}" ]]; then log "the report could not be sent and is retried: ${message}"; fi
  trouble="${message}"
  pause=$((pause == 0 ? look_seconds : pause * 2))
  if ((pause > longest_pause_seconds)); then pause="${longest_pause_seconds}"; fi
  retry_at=$((${2} + pause))
}

# uptime_seconds: whole seconds since boot, which do not jump when the time is synchronised.
uptime_seconds() {
  local seconds
  read -r seconds _ <"${uptime_file}"
  printf '%s\n' "${seconds%%.*}"
}

log() { printf '%s\n' "${*}" >&2; }

main
exit
