#!/usr/bin/env bash
# Unpacks the archives that Ignition fetched, such as CNI plugins. Ignition has held each against its hash.
#
# When:   sno-unpack.service, before the container runtime and the kubelet.
# Writes: what the archives hold, each at the folder that /etc/sno-install/archives.tsv gives; a marker an archive in
#         /var/lib/sno-install. The archives themselves are removed.
# Stops:  1 when an archive cannot be unpacked; systemd starts it again.
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

# unpack ARCHIVE FOLDER COMPONENTS: a file that is there already is replaced whole.
unpack() {
  mkdir --parents "${2}"
  tar --extract --file="${1}" --directory="${2}" --strip-components="${3}" --no-same-owner --unlink-first
  # What is unpacked here has the label of this script's files until the policy's is set.
  if command -v restorecon >/dev/null; then timeout --kill-after=10s 10m restorecon -R "${2}" || true; fi
}

main
