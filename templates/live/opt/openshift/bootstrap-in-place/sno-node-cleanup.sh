#!/usr/bin/env bash
# Removes from the installed node what the installation brought: files, folders, units with their links and presets, records,
# and at the end the post-reboot script and itself.
#
# When:   the post-reboot script becomes this one when the cluster is complete; a run that was cut off is repeated from there.
# Writes: nothing; it deletes the paths that node-files.list gives to `remove` and `last`, in that order.
# Stops:  1 when something cannot be removed. It needs no other file than the list, so that it can always be run again.
set -Eeuo pipefail

root="${SNO_ROOT:-}"
list="${SNO_HOME:-${root}/opt/openshift}/node-files.list"

main() {
  local rows fate mode source path last=()
  rows="$(grep --extended-regexp '^(remove|last)[[:space:]]' "${list}")"
  while read -r fate mode source path; do
    if [[ "${fate}" == last ]]; then
      last+=("${root}${path%/}")
    elif [[ "${mode}" == preset ]]; then
      remove_preset "${source}" "${root}${path}"
    else
      remove "${root}${path%/}"
    fi
  done <<<"${rows}"
  rm --recursive --force "${last[@]}"
  forget_units_later
  echo 'nothing of the installation is left on this node'
}

# remove PATH, and the folder it lies in when systemd's links were all that was in it.
remove() {
  rm --recursive --force "${1}"
  if [[ "${1}" == *.requires/* ]]; then rmdir --ignore-fail-on-non-empty "$(dirname "${1}")" 2>/dev/null || true; fi
}

# remove_preset UNIT FILE: Ignition enables units by lines of this file.
remove_preset() {
  if [[ -e "${2}" ]]; then sed --in-place "/^enable ${1//./\\.}\$/d" "${2}"; fi
  if [[ ! -s "${2}" ]]; then rm --force "${2}"; fi
}

# Once this service has ended. Told now that units are gone, systemd would take this one for a unit without a file, which may
# be starting for 90 s (systemd-system.conf(5), DefaultTimeoutStartSec), and end this script as one that timed out.
forget_units_later() {
  timeout --kill-after=10s 5m systemd-run --quiet --no-block --collect --property=After=bootkube.service \
    systemctl daemon-reload
}

main
exit
