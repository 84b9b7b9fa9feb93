# shellcheck shell=bash
# Functions, to be sourced, for builds that are made once per machine in the tools folder of the tests.

cache=${XDG_CACHE_HOME:-${HOME}/.cache}/sno-install/tools

# made_once NAME SOURCES: prints the folder NAME-KEY of the cache; the key is a hash of all files in the folder SOURCES. If the folder
# is missing, the caller's function `make DIR` has to fill DIR/done first; it may leave other files in DIR.
made_once() {
  local name=$1 folder
  mkdir --parents "${cache}"
  folder=${cache}/${name}-$(key_of_files "$2")
  # Two test files may call this at once; the second waits and finds the folder.
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

# fill_once NAME FOLDER: creates the folder atomically and deletes builds older than a day.
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

# debian_sources: prints the apt source lists of this machine for mmdebstrap, one per line.
debian_sources() {
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
    [[ ! -s ${file} ]] || echo "${file}"
  done
}
