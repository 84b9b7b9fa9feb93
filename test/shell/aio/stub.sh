#!/bin/bash
# Stub for the programs of an all-in-one node, linked under the name of each. Logs its arguments and prints the answer from the files
# below ${STUB}. The name of a call is the program and its arguments without options, joined by dashes.
set -euo pipefail

program="${0##*/}"
{
  printf '%s' "${program}"
  printf '\x1f%s' "${@}"
  printf '\x1e'
} >>"${STUB}/calls"

name="${program}"
for word; do
  case "${word}" in -*) ;; *) name+="-${word//\//_}" ;; esac
done

# Crashes at this call: kills the script and all its processes.
for each in "${program}" "${name}"; do
  if [[ -e "${STUB}/kill/${each}" ]]; then
    left="$(<"${STUB}/kill/${each}")"
    if ((left > 0)); then
      echo "$((left - 1))" >"${STUB}/kill/${each}"
      continue
    fi
    /usr/bin/rm "${STUB}/kill/${each}"
    kill -KILL "-$(<"${STUB}/group")"
  fi
done

# Fails: ${STUB}/fail/NAME contains the number of remaining failures, or `always`.
for each in "${program}" "${name}"; do
  if [[ -e "${STUB}/fail/${each}" ]]; then
    left="$(<"${STUB}/fail/${each}")"
    if [[ "${left}" == always ]]; then exit 1; fi
    if ((left > 0)); then
      echo "$((left - 1))" >"${STUB}/fail/${each}"
      exit 1
    fi
  fi
done

case "${program}" in
  install | sync) exec "/usr/bin/${program}" "${@}" ;;
  kubectl | oc) if [[ "${*}" == *--filename=-* ]]; then cat >>"${STUB}/applied"; fi ;;
esac
if [[ -e "${STUB}/answers/${name}" ]]; then cat "${STUB}/answers/${name}"; fi
