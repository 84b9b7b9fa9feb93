#!/bin/bash
# Precedes the stubs of a machine under test on the PATH. As journalctl it prints the journals of units that the test has run. As podman
# and curl it prints the error that the test has set, if any. All other calls go to the stub.
set -euo pipefail

program="${0##*/}"

# pass_on ARG…: runs the next program of this name on the PATH.
pass_on() { PATH="${PATH#*:}" exec "${program}" "${@}"; }

# journal OPTION…: prints the journal of a unit as journalctl does. With --lines it prints the last lines of the current run.
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

# says NAME: prints ${STUB}/says/NAME to standard error. Fails if it does not exist.
says() { [[ -e "${STUB}/says/${1}" ]] && cat "${STUB}/says/${1}" >&2; }

case "${program} ${*}" in
  journalctl*) journal "${@}" ;;
  curl*) if says curl; then exit 7; else pass_on "${@}"; fi ;;
  'podman pull '*) if says pull; then exit 125; else pass_on "${@}"; fi ;;
  'podman run '*--help) pass_on "${@}" ;;
  'podman run '*cluster-bootstrap*) if says cluster-bootstrap; then exit 1; else pass_on "${@}"; fi ;;
  *) pass_on "${@}" ;;
esac
