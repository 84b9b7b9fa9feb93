#!/usr/bin/env bash
# Serves the payload on the installed node, as the machine-config operator does from 4.22 on.
#
# When:   iri-registry.service.
# Writes: the registry image into podman's storage.
# Stops:  with the registry; systemd starts it again.
set -Eeuo pipefail

# shellcheck source=/dev/null
source "${SNO_PAYLOAD_SETTINGS:-/etc/iri-registry/registry.env}"
registry_dir="${SNO_ROOT:-}/var/lib/iri-registry"
settings_dir="${SNO_ROOT:-}/etc/iri-registry"

# Source of the variables: distribution, docs/content/about/configuration.md
serve() {
  local image command
  image="$(timeout --kill-after=30s 10m podman pull --quiet "dir:${registry_dir}/images/registry")"
  command=(podman run
    --rm --replace --name=iri-registry --net=host --log-driver=journald --security-opt=label=disable --user=0
    --volume="${registry_dir}:/var/lib/registry:ro" --volume="${settings_dir}:/etc/iri-registry:ro"
    --env=REGISTRY_HTTP_ADDR=:22625
    --env=REGISTRY_HTTP_TLS_CERTIFICATE=/etc/iri-registry/certs/tls.crt --env=REGISTRY_HTTP_TLS_KEY=/etc/iri-registry/certs/tls.key
    --env=REGISTRY_STORAGE_FILESYSTEM_ROOTDIRECTORY=/var/lib/registry
    --env='REGISTRY_STORAGE_MAINTENANCE_READONLY={"enabled":true}'
    --env=REGISTRY_AUTH=htpasswd --env=REGISTRY_AUTH_HTPASSWD_REALM=payload
    --env=REGISTRY_AUTH_HTPASSWD_PATH=/etc/iri-registry/auth/htpasswd
  )
  if [[ "${SNO_PAYLOAD_REGISTRY_IS_OF_RELEASE}" == 1 ]]; then
    command+=(--entrypoint=/usr/bin/distribution "${image}" serve /etc/registry/config.yaml)
  else
    command+=("${image}")
  fi
  exec "${command[@]}"
}

serve
