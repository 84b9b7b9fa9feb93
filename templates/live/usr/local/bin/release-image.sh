#!/usr/bin/env bash
# Pulls images with retries and reads the release payload: its pull spec by digest, its images and versions.
#
# When:   sourced by sno-common.sh; the functions need the payload to be pulled (release-image.service).
# Writes: ${SNO_RUN_DIR}: release-image (the pull spec), image-references and release-metadata, copied once from the payload, so
#         that one container run serves all calls and no registry is contacted; payload-images, the list of its images; pulls/, a lock
#         for each image.
# Stops:  each function fails with a message if the payload is missing or is not a release payload.

# podman's pull secret.
SNO_AUTH_FILE="${SNO_AUTH_FILE:-${SNO_ROOT}/root/.docker/config.json}"

# pull_image IMAGE LIMIT_SECONDS [COMMAND]: pulls a missing image, with growing pauses between retries. After each failure COMMAND, if
# given, is called with the reason. Returns 1 after the limit. A pull by another script is waited for, because podman would download the
# image a second time. Source: github.com/containers/podman issue 1911
pull_image() {
  local lock status=0
  if image_exists "${1}"; then return 0; fi
  open_lock "${1}"
  if flock --nonblock "${lock}" || ! other_pull_brings "${@}"; then pull_with_retries "${@}" || status=1; fi
  exec {lock}>&-
  return "${status}"
}

# other_pull_brings IMAGE LIMIT_SECONDS: waits for the end of the running pull.
other_pull_brings() {
  log "waiting for the running pull of ${1}, at most ${2} s"
  flock --timeout "${2}" "${lock:?}" || log "the running pull of ${1} does not end"
  image_exists "${1}"
}

image_exists() { timeout --kill-after=10s 60s podman image exists "${1}"; }

# open_lock IMAGE: sets the caller's ${lock} to a file descriptor for flock. It is free again when the pull or its script is killed.
open_lock() {
  local name
  # A pull spec can be longer than a file name.
  name="$(sha256sum <<<"${1}")"
  mkdir --parents "${SNO_RUN_DIR}/pulls"
  exec {lock}>"${SNO_RUN_DIR}/pulls/${name%% *}"
}

# pull_once IMAGE LIMIT: prints the errors of podman. LIMIT is a duration of timeout(1).
pull_once() {
  { timeout --kill-after=30s "${2}" podman pull --quiet --authfile "${SNO_AUTH_FILE}" "${1}" >/dev/null; } 2>&1
}

# pull_with_retries: see pull_image.
pull_with_retries() {
  local image="${1}" limit="${2}" pause=5 begun spent reason
  begun="$(uptime_seconds)"
  log "pulling ${image}, for at most ${limit} s"
  until reason="$(pull_once "${image}" 30m)"; do
    spent="$(($(uptime_seconds) - begun))"
    if [[ -n "${3:-}" ]]; then "${3}" "${reason}"; fi
    if ((spent >= limit)); then
      fail "timed out after ${limit} s pulling ${image}: ${reason}"
      return 1
    fi
    log "pulling ${image} failed after ${spent} s of ${limit} s, next try in ${pause} s: ${reason}"
    sleep "${pause}"
    pause="$((pause < 60 ? pause * 2 : 120))"
  done
}

# release_pull_spec: prints the pull spec by digest. A payload for several architectures has two digests: this prints the one of this
# machine's image.
release_pull_spec() {
  local cache="${SNO_RUN_DIR}/release-image" inspected spec
  if [[ ! -s "${cache}" ]]; then
    inspected="$(timeout --kill-after=10s 60s podman image inspect --format json "${SNO_RELEASE_IMAGE}")" ||
      fail "the release image ${SNO_RELEASE_IMAGE} is not on this machine yet" || return 1
    spec="$(jq --raw-output 'first(.[0] | .Digest as $digest | .RepoDigests[]? | select(endswith($digest))) // ""' \
      <<<"${inspected}")"
    if [[ -z "${spec}" ]]; then
      log "the digest of ${SNO_RELEASE_IMAGE} is not known here: it is used as it was given"
      spec="${SNO_RELEASE_IMAGE}"
    fi
    keep "${cache}" "${spec}"
  fi
  cat "${cache}"
}

# payload_file NAME: prints the path of a copy of /release-manifests/NAME. Source: `oc adm release` writes image-references
# (an ImageStream) and release-metadata (JSON) into every payload.
payload_file() {
  local copy="${SNO_RUN_DIR}/${1}" spec contents
  if [[ ! -s "${copy}" ]]; then
    spec="$(release_pull_spec)" || return 1
    contents="$(timeout 10m podman run --quiet --rm --net=none --log-driver=none --entrypoint=cat \
      "${spec}" "/release-manifests/${1}")" && jq --exit-status --slurp 'length == 1 and (.[0] | type == "object")' <<<"${contents}" >/dev/null ||
      fail "cannot read ${1} of the release payload ${spec}" || return 1
    keep "${copy}" "${contents}"
  fi
  printf '%s\n' "${copy}"
}

# payload_images: prints the path of a list of the payload's images, key and pull spec per line; no pull spec for entries that are not
# images.
payload_images() {
  local list="${SNO_RUN_DIR}/payload-images" references images
  if [[ ! -s "${list}" ]]; then
    references="$(payload_file image-references)" || return 1
    images="$(jq --raw-output '.spec.tags[]? | [.name, if .from.kind == "DockerImage" then .from.name else "" end] | @tsv' \
      "${references}")" || return 1
    keep "${list}" "${images}"
  fi
  printf '%s\n' "${list}"
}

# image_for KEY: prints the pull spec of an image of the payload.
image_for() {
  local list name image
  list="$(payload_images)" || return 1
  while IFS=$'\t' read -r name image; do
    if [[ "${name}" == "${1}" && -n "${image}" ]]; then
      printf '%s\n' "${image}"
      return 0
    fi
  done <"${list}"
  fail "the release payload lists no image ${1}"
}

# payload_has KEY: whether the payload lists such an image.
payload_has() {
  local list
  list="$(payload_images)" || return 1
  [[ $'\n'"$(<"${list}")" == *$'\n'"${1}"$'\t'* ]]
}

# release_version: prints the version of the payload, such as 4.16.3.
release_version() {
  local metadata version
  metadata="$(payload_file release-metadata)" || return 1
  version="$(jq --raw-output '.version // ""' "${metadata}")"
  [[ -n "${version}" ]] || fail 'the release payload has no version' || return 1
  printf '%s\n' "${version}"
}

# release_at_least MAJOR MINOR: whether the payload is of that release or a later one.
release_at_least() {
  local version major minor
  version="$(release_version)" || return 1
  IFS=. read -r major minor _ <<<"${version}"
  minor="${minor%%[^0-9]*}"
  ((major > ${1} || (major == ${1} && minor >= ${2})))
}

# kubernetes_version: prints the Kubernetes version of the payload, such as 1.29.6; fails if the payload does not contain it.
# Source: annotation io.openshift.build.versions of image-references, which `oc adm release info` also reads.
kubernetes_version() {
  local references version
  references="$(payload_file image-references)" || return 1
  version="$(jq --raw-output 'first(.spec.tags[]?.annotations["io.openshift.build.versions"] // empty | split(",")[]
    | select(startswith("kubernetes=")) | ltrimstr("kubernetes=")) // ""' "${references}")"
  [[ -n "${version}" ]] || fail 'the release payload has no version of Kubernetes' || return 1
  printf '%s\n' "${version}"
}

# keep FILE TEXT: writes the file atomically. Several services may write the same file at the same time.
keep() {
  local draft="${1}.${BASHPID}.new"
  mkdir --parents "$(dirname "${1}")"
  printf '%s\n' "${2}" >"${draft}"
  mv --force "${draft}" "${1}"
}
