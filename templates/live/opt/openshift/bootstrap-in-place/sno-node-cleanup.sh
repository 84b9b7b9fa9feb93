#!/usr/bin/env bash
# Removes the files of the installation from the installed node: files, folders, units with their links and presets, records, and
# finally the post-reboot script and itself.
#
# When:   replaces the post-reboot script when the cluster is complete; an interrupted run starts again here. With the argument `later`,
#         a copy of it replaces sno-post-install.sh after the last wave.
# Writes: nothing; it deletes the paths of node-files.list with `remove` and `last`, in that order, or those with `later`.
# Stops:  1 if something cannot be removed. It needs only the list, so it can always run again.
set -Eeuo pipefail

root="${SNO_ROOT:-}"
list="${SNO_HOME:-${root}/opt/openshift}/node-files.list"
fates='remove|last'
service=bootkube.service
if [[ "${1:-}" == later ]]; then
  fates=later
  service=sno-post-install.service
fi

main() {
  local rows fate mode source path last=()
  rows="$(grep --extended-regexp "^(${fates})[[:space:]]" "${list}")"
  while read -r fate mode source path; do
    if [[ "${mode}" == preset ]]; then
      remove_preset "${source}" "${root}${path}"
    elif [[ "${fate}" != remove ]]; then
      last+=("${root}${path%/}")
    else
      remove "${root}${path%/}"
    fi
  done <<<"${rows}"
  rm --recursive --force "${last[@]}"
  forget_units_later
  echo 'nothing of the installation is left on this node'
}

# remove PATH: also removes its folder if only links of systemd were left in it.
remove() {
  rm --recursive --force "${1}"
  if [[ "${1}" == *.requires/* ]]; then rmdir --ignore-fail-on-non-empty "$(dirname "${1}")" 2>/dev/null || true; fi
}

# remove_preset UNIT FILE: Ignition enables units by lines of this file.
remove_preset() {
  if [[ -e "${2}" ]]; then sed --in-place "/^enable ${1//./\\.}\$/d" "${2}"; fi
  if [[ ! -s "${2}" ]]; then rm --force "${2}"; fi
}

# Reloads systemd after this service has ended. A reload now would leave this service without a unit file and with the default start
# timeout of 90 s (systemd-system.conf(5), DefaultTimeoutStartSec), and systemd would end this script.
forget_units_later() {
  timeout --kill-after=10s 5m systemd-run --quiet --no-block --collect --property="After=${service}" \
    systemctl daemon-reload
}

main
exit
