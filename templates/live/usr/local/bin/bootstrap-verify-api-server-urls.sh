#!/usr/bin/env bash
# Looks up the names of the API server. The node does without them until it boots from its disk; a name that is missing now
# explains a node that never registers then.
#
# When:   sourced by bootkube.sh, after sno-checks.sh.
# Writes: nothing.
# Stops:  nothing: a stage that calls it records the failure and the installation goes on.

# resolve_api_name NAME: returns 1, saying why, when the name does not lead to this machine.
resolve_api_name() {
  local message
  if message="$(check_name "${1}")"; then
    log "the name ${1} leads to this machine"
  else
    fail "${message}"
  fi
}
