#!/usr/bin/env bash
# Unpacks the archives that Ignition fetched, such as CNI plugins. Ignition has verified their hashes.
#
# When:   sno-unpack.service, before the container runtime and the kubelet.
# Writes: the contents of each archive into the folder that /etc/sno-install/archives.tsv names; one marker per archive in
#         /var/lib/sno-install. The archives are removed.
# Stops:  1 if an archive cannot be unpacked; systemd starts it again.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=aio-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/aio-common.sh"

main() {
  local archive folder components row=0
  record_begin
  while IFS=$'\t' read -r archive folder components; do
    row="$((row + 1))"
    run_stage "unpack-${row}" unpack "${SNO_ROOT}${archive}" "${SNO_ROOT}${folder}" "${components}"
    rm --force "${SNO_ROOT}${archive}"
  done <"${AIO_ETC}/archives.tsv"
}

# unpack ARCHIVE FOLDER COMPONENTS: existing files are replaced atomically.
unpack() {
  mkdir --parents "${2}"
  tar --extract --file="${1}" --directory="${2}" --strip-components="${3}" --no-same-owner --unlink-first
  # New files have the SELinux label of this script's files until restorecon sets the policy's.
  if command -v restorecon >/dev/null; then timeout --kill-after=10s 10m restorecon -R "${2}" || true; fi
}

main
