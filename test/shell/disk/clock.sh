#!/bin/sh
# Stub for date and sleep. sleep does not wait: it advances the clocks that the scripts read, the uptime a thousand times as fast, so
# that a timeout takes few iterations. Written for the fastest shell, because it is called often.
set -eu

read -r clock <"${STUB}/clock"
case "${0##*/} ${*}" in
  sleep\ *)
    printf 'sleep\037%s\036' "${1}" >>"${STUB}/calls"
    if [ -e "${STUB}/kill/sleep" ]; then
      read -r left <"${STUB}/kill/sleep"
      if [ "${left}" -eq 0 ]; then
        read -r pid <"${STUB}/pid"
        kill -KILL "${pid}" "${$}"
      fi
      echo "$((left - 1))" >"${STUB}/kill/sleep"
    fi
    read -r up rest <"${STUB}/uptime"
    echo "$((up + ${1} * 1000)) ${rest}" >"${STUB}/uptime"
    echo "$((clock + ${1}))" >"${STUB}/clock"
    ;;
  date*--date=* | date*--file=-*) exec /usr/bin/date "${@}" ;;
  *) exec /usr/bin/date --date="@${clock}" "${@}" ;;
esac
