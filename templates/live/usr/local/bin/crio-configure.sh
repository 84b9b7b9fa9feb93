#!/usr/bin/env bash
# Tells CRI-O to use the pause image of the payload, as the installed node will.
#
# When:   crio-configure.service, after release-image.service and before crio.service.
# Writes: /etc/crio/crio.conf.d/50-bootstrap-override.conf
# Stops:  1 when the payload is not there or lists no image `pod`; systemd starts it again.
#
# Source of the keys: crio.conf(5); the values are those of the machine-config-operator's template crio.yaml.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"

main() {
  record_begin
  run_always configure-crio write_configuration
  # A CRI-O that came up before its configuration reads it now. Without waiting: it is ordered after this very service.
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
