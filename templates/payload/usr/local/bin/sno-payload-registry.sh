#!/usr/bin/env bash
# Serves the payload on port 22625, read-only, as long as its medium can be read. If it was removed, the next start finds it again.
#
# When:   sno-payload-registry.service: `run` as its process, `wait` before it counts as started.
# Writes: those of sno-payload-find.sh; a removed medium, above the console's login prompt.
# Stops:  1 if the registry does not answer within two minutes, or its medium was removed; systemd starts it again.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=../../../../live/usr/local/bin/sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
SNO_LIVE_MEDIUM_DIR="${SNO_LIVE_MEDIUM_DIR:-${SNO_ROOT}/run/media/iso}"
# shellcheck source-path=SCRIPTDIR source=../../../../live/usr/local/bin/sno-root-device.sh
source "${SNO_BIN_DIR}/sno-root-device.sh"
# shellcheck source-path=SCRIPTDIR source=sno-payload-find.sh
source "${SNO_BIN_DIR}/sno-payload-find.sh"

issue=45_sno-payload
consequence="${SNO_PAYLOAD_CONSEQUENCE:-The installation waits for its images}"
certificates="${SNO_ETC}/iri-registry"
certificate_authority="${SNO_ETC}/containers/certs.d/localhost:22625/ca.crt"

run_registry() {
  record_begin
  run_always find-payload-again find_again
  registry_command &
  watch_medium "${!}"
}

# find_again: after its medium was removed.
find_again() {
  local finding
  if is_mounted; then return 0; fi
  if ! finding="$(find_payload)"; then
    announce_issue "${issue}" "${consequence}: ${finding}"
    fail "${finding}"
  fi
  announce_source "${issue}"
}

# Source of the options for the image of the release: machine-config-operator, pkg/controller/internalreleaseimage/templates. Other images
# read the same variables. Source: distribution, docs/content/about/configuration.md
registry_command() {
  local command=(podman run
    --rm --replace --name=sno-payload-registry --net=host --log-driver=journald --security-opt=label=disable --user=0
    --volume="${payload_dir}:/var/lib/registry:ro" --volume="${certificates}:/etc/iri-registry:ro"
    --env=REGISTRY_HTTP_ADDR=:22625
    --env=REGISTRY_HTTP_TLS_CERTIFICATE=/etc/iri-registry/certs/tls.crt --env=REGISTRY_HTTP_TLS_KEY=/etc/iri-registry/certs/tls.key
    --env=REGISTRY_STORAGE_FILESYSTEM_ROOTDIRECTORY=/var/lib/registry
    --env='REGISTRY_STORAGE_MAINTENANCE_READONLY={"enabled":true}'
    --env=REGISTRY_AUTH=htpasswd --env=REGISTRY_AUTH_HTPASSWD_REALM=payload
    --env=REGISTRY_AUTH_HTPASSWD_PATH=/etc/iri-registry/auth/htpasswd
  )
  if [[ "${SNO_PAYLOAD_REGISTRY_IS_OF_RELEASE}" == 1 ]]; then
    command+=(--entrypoint=/usr/bin/distribution "$(<"${SNO_RUN_DIR}/payload-registry")" serve /etc/registry/config.yaml)
  else
    command+=("$(<"${SNO_RUN_DIR}/payload-registry")")
  fi
  exec "${command[@]}"
}

# watch_medium PROCESS: until the registry ends. A single read that fails is no removal.
watch_medium() {
  local failures=0
  while kill -0 "${1}" 2>/dev/null; do
    if medium_answers; then failures=0; else failures="$((failures + 1))"; fi
    if ((failures >= 2)); then medium_is_gone; fi
    sleep 5
  done
  wait "${1}"
}

medium_is_gone() {
  local device
  IFS=$'\t' read -r device _ <"${payload_source}"
  announce_issue "${issue}" "${consequence}: the medium with the payload, ${device}, was removed or cannot be read. Attach it again."
  timeout --kill-after=10s 2m podman stop --ignore sno-payload-registry >&2 || true
  unmount "$(<"${payload_loop}")"
  fail "the medium with the payload, ${device}, was removed or cannot be read"
}

# Without credentials the registry answers 401, which shows that it runs.
registry_answers() {
  timeout --kill-after=5s 15s curl --silent --output /dev/null --noproxy '*' --cacert "${certificate_authority}" https://localhost:22625/v2/
}

case "${1:-}" in
  run) run_registry ;;
  wait) wait_until 'the registry of the payload to answer on port 22625' 120 2 registry_answers ;;
  *)
    log 'usage: sno-payload-registry.sh run|wait'
    exit 2
    ;;
esac
