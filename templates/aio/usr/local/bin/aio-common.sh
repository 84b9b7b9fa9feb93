#!/usr/bin/env bash
# Shared by the scripts of an all-in-one node: paths and the API client.
#
# When:   sourced first, after `set -Eeuo pipefail`. Sources sno-common.sh, and with it the env file.
# Writes: nothing.
# Stops:  1 if the env file is missing.

SNO_ROOT="${SNO_ROOT:-}"
SNO_BIN_DIR="${SNO_BIN_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)}"
SNO_HOME="${SNO_HOME:-${SNO_ROOT}/var/lib/sno-install}"
AIO_ETC="${AIO_ETC:-${SNO_ROOT}/etc/sno-install}"
AIO_KUBERNETES="${AIO_KUBERNETES:-${SNO_ROOT}/etc/kubernetes}"
AIO_KUBELET_PKI="${AIO_KUBELET_PKI:-${SNO_ROOT}/var/lib/kubelet/pki}"
SNO_ENV_FILE="${SNO_ENV_FILE:-${AIO_ETC}/sno-install.env}"
SERVICE_RECORDS_DIR="${SERVICE_RECORDS_DIR:-${SNO_ROOT}/var/log/sno-install}"
# A system service has no HOME, where the API client keeps its discovery cache.
export HOME="${HOME:-/root}"

# shellcheck source-path=SCRIPTDIR/../../../../live/usr/local/bin source=sno-common.sh
source "${SNO_BIN_DIR}/sno-common.sh"

# The API client: kubectl or oc.
SNO_KUBE_CLIENT="${SNO_KUBE_CLIENT:-$(command -v kubectl >/dev/null && echo kubectl || echo oc)}"
export SNO_KUBE_CLIENT

# ask [ARG…]: the client with a request timeout.
ask() { "${SNO_KUBE_CLIENT}" --request-timeout=30s "${@}"; }
