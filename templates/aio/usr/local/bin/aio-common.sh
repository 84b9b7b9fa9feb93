#!/usr/bin/env bash
# What the scripts of an all-in-one node share: where its files are, and the client of the API.
#
# When:   sourced first, after `set -Eeuo pipefail`. Sources sno-common.sh, and with it the env file.
# Writes: nothing.
# Stops:  an env file that is missing ends the script with 1.

SNO_ROOT="${SNO_ROOT:-}"
SNO_BIN_DIR="${SNO_BIN_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)}"
SNO_HOME="${SNO_HOME:-${SNO_ROOT}/var/lib/sno-install}"
AIO_ETC="${AIO_ETC:-${SNO_ROOT}/etc/sno-install}"
AIO_KUBERNETES="${AIO_KUBERNETES:-${SNO_ROOT}/etc/kubernetes}"
AIO_KUBELET_PKI="${AIO_KUBELET_PKI:-${SNO_ROOT}/var/lib/kubelet/pki}"
SNO_ENV_FILE="${SNO_ENV_FILE:-${AIO_ETC}/sno-install.env}"
SERVICE_RECORDS_DIR="${SERVICE_RECORDS_DIR:-${SNO_ROOT}/var/log/sno-install}"
# A service of the system has no home, where the client of the API keeps what it learnt of the API.
export HOME="${HOME:-/root}"

# shellcheck source-path=SCRIPTDIR/../../../../live/usr/local/bin source=sno-common.sh
source "${SNO_BIN_DIR}/sno-common.sh"

# The client of the API: whichever the machine has.
SNO_KUBE_CLIENT="${SNO_KUBE_CLIENT:-$(command -v kubectl >/dev/null && echo kubectl || echo oc)}"
export SNO_KUBE_CLIENT

# ask [ARG…]: the client, with a limit for each answer.
ask() { "${SNO_KUBE_CLIENT}" --request-timeout=30s "${@}"; }
