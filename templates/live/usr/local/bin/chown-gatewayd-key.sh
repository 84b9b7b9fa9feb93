#!/usr/bin/env bash
# Makes the key of the journal gateway readable for the user that it runs as.
#
# When:   chown-gatewayd-key.service, before systemd-journal-gatewayd.
# Writes: the user systemd-journal-gateway if it does not exist; the owner of tls/journal-gatewayd.{crt,key}.
# Stops:  1 if the user cannot be created.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"

user=systemd-journal-gateway

if ! timeout --kill-after=10s 60s getent passwd "${user}" >/dev/null; then
  timeout --kill-after=10s 60s useradd --system --no-create-home --home-dir=/ --shell=/usr/sbin/nologin "${user}"
fi
chown "${user}" "${SNO_HOME}"/tls/journal-gatewayd.{crt,key}
