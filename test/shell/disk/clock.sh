#!/bin/sh
# Stands in for date and sleep. Nothing sleeps: sleep moves the clocks that the scripts read, the one since boot a thousand times as
# fast, so that a wait that runs out takes few rounds. Called so often that it is written for the fastest shell.
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
