#!/bin/bash
# Stands before the stubs of a machine under test. As journalctl it is the journal of the units that the test has run; as podman
# and curl it says what the test wants a registry, a tool or a server to say. Everything else is the stub's.
set -euo pipefail

program="${0##*/}"

# What follows ours on the PATH.
pass_on() { PATH="${PATH#*:}" exec "${program}" "${@}"; }

# journal OPTION…: of one unit, as journalctl prints it; the last lines alone come from the run that is under way.
journal() {
  local word unit='' lines=''
  for word; do
    case "${word}" in
      --unit=*) unit="${word#--unit=}" unit="${unit%.service}" ;;
      --lines=*) lines="${word#--lines=}" ;;
    esac
  done
  if [[ -n "${lines}" ]]; then
    tail --lines="${lines}" "${STUB}/journals/${unit}.now"
  elif [[ -e "${STUB}/journals/${unit}.log" ]]; then
    cat "${STUB}/journals/${unit}.log"
  else
    echo '-- No entries --'
  fi
}

# says NAME: prints ${STUB}/says/NAME to standard error where there is one.
says() { [[ -e "${STUB}/says/${1}" ]] && cat "${STUB}/says/${1}" >&2; }

case "${program} ${*}" in
  journalctl*) journal "${@}" ;;
  curl*) if says curl; then exit 7; else pass_on "${@}"; fi ;;
  'podman pull '*) if says pull; then exit 125; else pass_on "${@}"; fi ;;
  'podman run '*--help) pass_on "${@}" ;;
  'podman run '*cluster-bootstrap*) if says cluster-bootstrap; then exit 1; else pass_on "${@}"; fi ;;
  *) pass_on "${@}" ;;
esac
