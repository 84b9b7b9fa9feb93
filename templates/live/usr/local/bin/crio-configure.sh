#!/usr/bin/env bash
# Configures CRI-O to use the pause image of the payload, as on the installed node.
#
# When:   crio-configure.service, after release-image.service and before crio.service.
# Writes: /etc/crio/crio.conf.d/50-bootstrap-override.conf
# Stops:  1 if the payload is missing or has no image `pod`; systemd starts it again.
#
# Source of the keys: crio.conf(5); the values are those of the machine-config-operator's template crio.yaml.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"

main() {
  record_begin
  run_always configure-crio write_configuration
  # Restarts a CRI-O that started before its configuration. --no-block: CRI-O is ordered after this service.
  systemctl --no-block try-restart crio.service
}

write_configuration() {
  local pause_image
  pause_image="$(image_for pod)"
  keep "${SNO_ETC}/crio/crio.conf.d/50-bootstrap-override.conf" "[crio.runtime]
hooks_dir = [
  \"/usr/share/containers/oci/hooks.d\",
  \"/etc/containers/oci/hooks.d\",
]

[crio.image]
pause_image = \"${pause_image}\"
pause_command = \"/usr/bin/pod\""
}

main
