#!/usr/bin/env bash
# Renews the certificates of the control plane with the authorities on this node before they expire, and restarts the pods that use them.
#
# When:   sno-renew.service: at each boot before the kubelet, once a day and when the clock was set (sno-renew.timer). It may be run by
#         hand.
# Writes: each due certificate of /etc/sno-install/certificates.tsv, atomically; an annotation in the manifests of the static pods that
#         read it; one line per renewal in /var/lib/sno-install/renewals.log; a record in /var/log/sno-install.
# Stops:  1 if something could not be renewed, or if the clock is before the begin of the authorities. Existing files stay; the timer
#         tries again, and the console shows the reason.
#
# A certificate is due if less than a third of its lifetime is left, if it has expired, if it is not valid yet (issued by a clock that
# was ahead), if it is missing, or if it belongs to another key.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=aio-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/aio-common.sh"
# shellcheck source-path=SCRIPTDIR/../../../../live/usr/local/bin source=sno-checks.sh
source "${SNO_BIN_DIR}/sno-checks.sh"
# shellcheck source-path=SCRIPTDIR source=sno-certificate.sh
source "${SNO_BIN_DIR}/sno-certificate.sh"
# shellcheck source-path=SCRIPTDIR source=sno-kubelet-identity.sh
source "${SNO_BIN_DIR}/sno-kubelet-identity.sh"

issue=72_sno-renew
issue_of_end=73_sno-authorities
list="${AIO_ETC}/certificates.tsv"
manifests_dir="${AIO_KUBERNETES}/manifests"
# Pods to restart, one per line; written before a certificate changes, so that a crash loses none.
restarts="${SNO_HOME}/restarts"
failures=()

main() {
  local jump
  record_begin
  jump="$(clock_offset)"
  now="$(date +%s)"
  run_always clock check_authorities
  run_always certificates renew_certificates
  run_always restarts restart_pods
  run_always kubelet renew_kubelet_identity
  run_always kubelet-serving drop_early_serving_certificate
  run_always outcome report_failures
  jump="$(($(clock_offset) - jump))"
  # The timer does not start a service that is running.
  if ((jump > 60 || jump < -60)); then
    log "the clock was set by ${jump} s meanwhile: checking the certificates again"
    trap - EXIT ERR
    unset SERVICE_RECORD_OPEN
    exec "${SNO_BIN_DIR}/sno-renew.sh"
  fi
}

# clock_offset: the clock minus the seconds since boot; it changes only when the clock is set.
clock_offset() { echo "$(($(date +%s) - $(uptime_seconds)))"; }

# If the clock is earlier than the start of the CA certificates, new certificates would be invalid.
check_authorities() {
  local authority begin
  for authority in "${authorities_dir}"/*.crt; do
    begin="$(epoch_of startdate "${authority}")" || fail "cannot read ${authority}"
    if ((now < begin)); then
      announce_issue "${issue}" "Certificates are not renewed: the clock is at $(date_of "${now}"), before the creation of the cluster."
      fail "the clock is at $(date_of "${now}"), but ${authority##*/} is not valid before $(date_of "${begin}")"
    fi
  done
}

renew_certificates() {
  local name signer subject usages names key files form pods reason status
  while IFS=$'\t' read -r name signer subject usages names key files form pods; do
    reason="$(due_reason "${signer}" "${SNO_ROOT}${key}" "${files}")"
    if [[ -z "${reason}" ]]; then continue; fi
    log "${name}: ${reason}"
    # In a subshell, outside of any condition, so that it ends at its first error.
    set +o errexit
    (set -o errexit && renew "${name}" "${signer}" "${subject}" "${usages}" "${names}" "${SNO_ROOT}${key}" "${files}" "${form}" "${pods}")
    status="${?}"
    set -o errexit
    if ((status != 0)); then failures+=("${name}"); fi
  done <"${list}"
}

# due_reason SIGNER KEY FILES: prints why a certificate must be renewed; prints nothing if it is not due.
due_reason() {
  local file begin end public_key own_key
  own_key="$(public_key_of "${2}" || true)"
  # shellcheck disable=SC2086
  for file in ${3}; do
    file="${SNO_ROOT}${file}"
    if ! read_certificate "${file}"; then
      echo "${file} is missing or cannot be read"
    elif [[ "${public_key}" != "${own_key}" ]]; then
      echo "${file} does not match its key"
    elif ((begin > now)); then
      echo "${file} is not valid yet: the clock was ahead when it was issued"
    elif ((end - now < SNO_LEAF_SECONDS / 3)); then
      due_to_end "${1}" "${file}" "${end}"
    else
      continue
    fi
    return 0
  done
}

# due_to_end SIGNER FILE END: a certificate that expires together with its authority is not renewed.
due_to_end() {
  local limit
  limit="$(authority_end "${1}")"
  if ((limit - ${3} > SNO_LEAF_SECONDS / 10 || ${3} <= now)) && ((limit > now)); then
    echo "${2} expires at $(date_of "${3}")"
  else
    log "${2} expires at $(date_of "${3}"), with its authority ${1}: create a new cluster before that"
    announce_issue "${issue_of_end}" "The certificates of this cluster expire at $(date_of "${3}") and cannot be renewed: its authorities expire then."
  fi
}

# renew NAME SIGNER SUBJECT USAGES NAMES KEY FILES FORM PODS
renew() {
  local name="${1}" signer="${2}" files="${7}" file before
  file="${SNO_ROOT}${files%% *}"
  before="$(epoch_of enddate "${file}" 2>/dev/null || echo 0)"
  sign_certificate "${name}" "${signer}" "${3}" "${4}" "${5}" "${6}"
  if [[ "${8}" == chain ]]; then cat "${authorities_dir}/${signer}.crt" >>"${renewal_dir}/${name}.crt"; fi
  if [[ "${9}" != - ]]; then ask_for_restart "${9}"; fi
  # shellcheck disable=SC2086
  for file in ${files}; do put_in_place "${renewal_dir}/${name}.crt" "${SNO_ROOT}${file}"; done
  note_renewal "${name}" "${before}" "$(epoch_of enddate "${renewal_dir}/${name}.crt")"
  rm --force "${renewal_dir}/${name}.crt"
}

# put_in_place FROM TO: replaces the file atomically.
put_in_place() {
  local new
  new="${2%/*}/.${2##*/}.new"
  mkdir --parents "${2%/*}"
  if ! { install --mode=0600 "${1}" "${new}" && sync "${new}"; }; then
    rm --force "${new}"
    fail "cannot write ${2}"
  fi
  mv --force "${new}" "${2}"
}

# note_renewal NAME OLD_END NEW_END
note_renewal() {
  local line
  line="$(date_of "${now}") ${1}: ended $(date_of "${2}"), ends $(date_of "${3}")"
  log "${line}"
  printf '%s\n' "${line}" >>"${SNO_HOME}/renewals.log"
}

# ask_for_restart PODS
ask_for_restart() { tr ' ' '\n' <<<"${1}" >>"${restarts}"; }

# The kubelet restarts a static pod when its manifest changes.
restart_pods() {
  local pod
  [[ -e "${restarts}" ]] || return 0
  while read -r pod; do
    if [[ -e "${manifests_dir}/${pod}.yaml" ]]; then touch_manifest "${manifests_dir}/${pod}.yaml"; fi
  done < <(sort --unique "${restarts}")
  rm --force "${restarts}"
}

# touch_manifest FILE: writes the time into an annotation. The kubelet ignores files that begin with a dot.
touch_manifest() {
  local new mode
  new="${1%/*}/.${1##*/}.new"
  mode="$(stat --format=%a "${1}")"
  awk -v line="    sno-install/renewed: \"${now}\"" '
    /^    sno-install\/renewed:/ { next }
    { print }
    /^metadata:$/ { inMetadata = 1; if (!hasAnnotations) { print "  annotations:"; print line }; next }
    /^[^ ]/ { inMetadata = 0 }
    inMetadata && hasAnnotations && /^  annotations:$/ { print line }
  ' hasAnnotations="$(grep --count '^  annotations:$' "${1}" || true)" "${1}" >"${new}"
  grep --quiet "sno-install/renewed: \"${now}\"" "${new}" || fail "cannot write ${new}"
  chmod "${mode}" "${new}"
  sync "${new}"
  mv --force "${new}" "${1}"
  log "${1##*/} is restarted"
}

report_failures() {
  if ((${#failures[@]} == 0)); then
    clear_issue "${issue}"
    return 0
  fi
  announce_issue "${issue}" "Certificates could not be renewed: ${failures[*]}. See journalctl -u sno-renew."
  fail "not renewed: ${failures[*]}"
}

main
