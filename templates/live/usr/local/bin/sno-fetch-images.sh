#!/usr/bin/env bash
# Pulls the images of bootkube before its stages need them, in the order of the stages, while the other services start.
#
# When:   sno-fetch-images.service, after release-image.service and node-image-pull.service; not with a payload.
# Writes: images into podman's storage.
# Stops:  1 if the release image is not there within 65 minutes; systemd starts it again. A pull that fails is no failure, because the
#         stage pulls its image itself.
set -Eeuo pipefail

# shellcheck source-path=SCRIPTDIR source=sno-common.sh
source "$(dirname "${BASH_SOURCE[0]}")/sno-common.sh"
# shellcheck source-path=SCRIPTDIR source=bootkube-tools.sh
source "${SNO_BIN_DIR}/bootkube-tools.sh"

# One pull waits for the registry or unpacks while others use the link. More would delay the image that is needed next.
parallel_pulls=3
# Reserved for each running pull: its compressed blobs and its layers.
pull_kib="$((2 * 1024 * 1024))"
memory_limit_seconds=3600
# A pull that shares the link takes longer than that of a stage.
pull_limit=60m
# After a failure, the next try starts at the first missing image.
tries=5
pause_seconds=60
images_dir="${SNO_ROOT}/var/lib/containers"
failures="${SNO_RUN_DIR}/fetch-failures"

main() {
  record_begin
  run_always wait-for-release-image wait_until 'the release payload (see: journalctl --unit release-image)' 3900 5 \
    image_exists "${SNO_RELEASE_IMAGE}"
  run_always fetch-images fetch_images
}

fetch_images() {
  local try
  for ((try = 1; ; try++)); do
    rm --force "${failures}"
    fetch_missing
    if [[ ! -e "${failures}" ]]; then return 0; fi
    if ((try == tries)) || must_end; then break; fi
    sleep "${pause_seconds}"
  done
  log 'no more images are pulled ahead: the stages of bootkube pull those that are missing'
}

# must_end: whether the registry still limits the requests after podman has waited for the time in Retry-After, or no space is left.
# Source: github.com/containers/image docker/docker_client.go (Retry-After), docker/errors.go; podman 4.3.1 on loopback; ENOSPC of errno(3)
must_end() {
  grep --quiet --ignore-case --extended-regexp 'too ?many ?requests|rate limit|\b429\b|no space left on device' "${failures}"
}

# fetch_missing: until a pull fails, or memory is short for too long.
fetch_missing() {
  local names name image
  names="$(stage_images | awk '!seen[$2]++ { print $2 }')"
  for name in ${names}; do
    if ! payload_has "${name}"; then continue; fi
    image="$(image_for "${name}")"
    if image_exists "${image}"; then continue; fi
    while (($(running_pulls) > 0)) && ! has_place; do wait -n || true; done
    has_memory || wait_until "memory for ${image}" "${memory_limit_seconds}" 10 has_memory || break
    if [[ -e "${failures}" ]]; then break; fi
    fetch "${image}" &
  done
  wait
}

running_pulls() { jobs -pr | wc --lines; }

has_place() { (($(running_pulls) < parallel_pulls)) && has_memory; }

# has_memory: whether another pull leaves a quarter of the memory and of the file system with the images free. The control plane needs
# the memory. Above 85 % of the file system, the kubelet deletes images that no container uses. Source: Kubernetes,
# pkg/kubelet/apis/config/v1beta1/defaults.go, ImageGCHighThresholdPercent
has_memory() {
  local needed total available size free
  needed="$((($(running_pulls) + 1) * pull_kib))"
  read -r total available < <(awk '$1 == "MemTotal:" { total = $2 } $1 == "MemAvailable:" { print total, $2 }' \
    "${SNO_MEMINFO_FILE:-/proc/meminfo}")
  read -r size free < <(timeout --kill-after=10s 60s df --block-size=1024 --output=size,avail "${images_dir}" | tail --lines=1)
  ((available - needed >= total / 4 && free - needed >= size / 4))
}

# fetch IMAGE: pulls it, unless a stage already does.
fetch() {
  local lock reason
  open_lock "${1}"
  if ! flock --nonblock "${lock}" || image_exists "${1}"; then return 0; fi
  log "pulling ${1} ahead"
  if ! reason="$(pull_once "${1}" "${pull_limit}")"; then
    log "${1} is not pulled ahead: ${reason##*$'\n'}"
    printf '%s\n' "${reason}" >>"${failures}"
  fi
}

main
