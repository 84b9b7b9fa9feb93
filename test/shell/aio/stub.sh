#!/bin/bash
# Stands in for the programs of an all-in-one node. It is called by each program's name, writes its arguments down, and answers
# from the files below ${STUB}. A call is named by its program and its words without options, joined by dashes.
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

# A crash in this very call: of the script, and of everything it has started.
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

# A failure: ${STUB}/fail/NAME holds how many are left, or `always`.
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
