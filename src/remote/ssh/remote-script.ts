/** Exit codes of the script on the node, from 20 up. ssh itself exits with 255 (ssh(1), EXIT STATUS). */
export const remoteExit = { noScript: 20, noSudo: 21, failed: 22, diskFull: 23, timedOut: 24 } as const;

/**
 * POSIX shell script for the node, run by `sh -s ID SECONDS`. Creates the bundle, writes it to standard output and cleans up.
 * Standard output contains only the archive.
 */
export const remoteScript = `set -u
id=$1
limit=$2
PATH=$PATH:/usr/local/bin:\${SNO_ROOT:-}/opt/sno-post-install/bin
archive=$HOME/log-bundle-$id.tar.gz
work=\${SNO_ROOT:-}/tmp/artifacts-$id

script=$(command -v installer-gather.sh) || exit ${remoteExit.noScript}
sudo=
if [ "$(id -u)" != 0 ]; then
  sudo='sudo -n'
  $sudo true 2>/dev/null || exit ${remoteExit.noSudo}
fi

trap '$sudo rm -rf "$work" "$archive" "$archive.new"' EXIT
trap 'exit 129' HUP INT PIPE TERM

# Less than a MiB is left where the bundle is made or put.
is_full() {
  df -Pk "\${SNO_ROOT:-}/tmp" "$HOME" | awk 'NR > 1 && $4 < 1024 { full = 1 } END { exit !full }'
}

$sudo timeout --kill-after=30 "$limit" env TAR_FILE="$archive" "$script" --id "$id" </dev/null >&2
status=$?
if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then exit ${remoteExit.timedOut}; fi
if [ "$status" -ne 0 ]; then
  if is_full; then exit ${remoteExit.diskFull}; fi
  exit ${remoteExit.failed}
fi
cat "$archive"
`;
