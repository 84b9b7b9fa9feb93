# shellcheck shell=bash
# To be sourced: what is made once a machine, where the tools of the tests are.

cache=${XDG_CACHE_HOME:-${HOME}/.cache}/sno-install/tools

# made_once NAME SOURCES: prints the folder NAME-KEY of the cache, whose key is made of all files in the folder SOURCES. Where it is
# missing, make MAKING fills MAKING/done first: a function of whoever asks, which may leave other things in MAKING.
made_once() {
  local name=$1 folder
  mkdir --parents "${cache}"
  folder=${cache}/${name}-$(key_of_files "$2")
  # Two test files may ask at once; the second waits and finds the folder.
  (
    flock 9
    [[ -d ${folder} ]] || fill_once "${name}" "${folder}" >&2
  ) 9>"${cache}/${name}.lock"
  echo "${folder}"
}

key_of_files() {
  find "$1" -type f -print0 | LC_ALL=C sort --zero-terminated | xargs --null sha256sum | sed "s|$1||" |
    sha256sum | cut --characters=1-16
}

# fill_once NAME FOLDER: it appears whole or not at all, and those of a day ago or older go.
fill_once() {
  local begun=${SECONDS} making
  making=$(mktemp --directory "${cache}/.making-$1-XXXXXX")
  # shellcheck disable=SC2064 # the folder of now
  trap "rm --recursive --force '${making}'" EXIT
  echo "making ${1}"
  mkdir "${making}/done"
  make "${making}"
  find "${cache}" -maxdepth 1 -name "$1-*" -mtime +0 -exec rm --recursive --force {} +
  mv "${making}/done" "$2"
  echo "made ${1} in $((SECONDS - begun)) s"
}

# debian_sources: Debian's lists of this machine, for mmdebstrap, one a line.
debian_sources() {
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
    [[ ! -s ${file} ]] || echo "${file}"
  done
}
