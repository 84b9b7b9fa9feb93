#!/usr/bin/env bash
# Writes the name of the payload's pause image for the kubelet's unit, so that image garbage collection keeps the image.
#
# When:   kubelet.service, before the kubelet.
# Writes: /etc/kubernetes/kubelet-pause-image-override, an environment file with MACHINE_CONFIG_INFRA_IMAGE.
# Stops:  1 if the payload is missing; systemd starts the unit again.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"

main() {
  local pause_image
  record_begin_command pre-command kubelet-pause-image
  pause_image="$(image_for pod)"
  keep "${SNO_ETC}/kubernetes/kubelet-pause-image-override" "MACHINE_CONFIG_INFRA_IMAGE=${pause_image}"
}

main
