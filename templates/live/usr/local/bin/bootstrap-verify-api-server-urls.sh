#!/usr/bin/env bash
# Resolves the names of the API server. The live system does not need them; a missing name explains an installed node that never
# registers.
#
# When:   sourced by bootkube.sh, after sno-checks.sh.
# Writes: nothing.
# Stops:  nothing: the calling stage records the failure and the installation continues.

# resolve_api_name NAME: returns 1 with a message if the name does not resolve to this machine.
resolve_api_name() {
  local message
  if message="$(check_name "${1}")"; then
    log "the name ${1} resolves to this machine"
  else
    fail "${message}"
  fi
}
