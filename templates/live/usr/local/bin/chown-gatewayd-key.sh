#!/usr/bin/env bash
# Gives the journal gateway its key: it runs as a user of its own, who must exist and be able to read it.
#
# When:   chown-gatewayd-key.service, before systemd-journal-gatewayd.
# Writes: the user systemd-journal-gateway where the system lacks it; the owner of tls/journal-gatewayd.{crt,key}.
# Stops:  1 when the user cannot be made.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"

user=systemd-journal-gateway

if ! timeout --kill-after=10s 60s getent passwd "${user}" >/dev/null; then
  timeout --kill-after=10s 60s useradd --system --no-create-home --home-dir=/ --shell=/usr/sbin/nologin "${user}"
fi
chown "${user}" "${SNO_HOME}"/tls/journal-gatewayd.{crt,key}
