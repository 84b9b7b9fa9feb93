#!/usr/bin/env bash
# The partitions that coreos-installer keeps: coreosInstaller of sno-config.yaml.
#
# When:   sourced by sno-preflight-disk.sh.
# Writes: nothing.
# Stops:  nothing.

# The system has the space before the first partition that is kept.
# Source: OpenShift documentation, installation on bare metal, disk partitioning
SNO_MINIMUM_SYSTEM_MIB="${SNO_MINIMUM_SYSTEM_MIB:-25000}"
coreos_installer="${SNO_COREOS_INSTALLER:-null}"

# installer_arguments: prints the arguments of coreos-installer that the configuration adds, one per line.
installer_arguments() {
  jq --raw-output '(.savePartitionLabels[]? | "--save-partlabel=\(.)"), (.savePartitionIndexes[]? | "--save-partindex=\(.)"),
    (.appendKernelArguments[]? | "--append-karg=\(.)"), (.deleteKernelArguments[]? | "--delete-karg=\(.)")' <<<"${coreos_installer}"
}

keeps_partitions() {
  jq --exit-status '(.savePartitionLabels // []) + (.savePartitionIndexes // []) | length > 0' <<<"${coreos_installer}" >/dev/null
}

# partition_table DISK: prints the kind of the table, then number, first MiB and label of each partition, separated by tabs. Fails on a
# disk without a table.
partition_table() {
  timeout --kill-after=10s 30s sfdisk --json "$(device_of "${1}")" 2>/dev/null |
    jq --raw-output --exit-status '.partitiontable | objects | .label,
      ((.sectorsize // 512) as $sector | .partitions[]? | [(.node | capture("(?<number>[0-9]+)$").number),
        (.start * $sector / 1048576 | floor), (.name // "" | gsub("[^ -~]"; "?"))] | map(tostring) | join("\t"))'
}

# saved_partitions DISK: prints those lines of partition_table that coreos-installer keeps.
saved_partitions() {
  local number start label
  keeps_partitions || return 0
  { partition_table "${1}" || true; } | tail --lines=+2 | while IFS=$'\t' read -r number start label; do
    if is_saved "${number}" "${label}"; then printf '%s\t%s\t%s\n' "${number}" "${start}" "${label}"; fi
  done
}

# saved_numbers DISK: prints their numbers, separated by |.
saved_numbers() { saved_partitions "${1}" | cut --fields=1 | paste --serial --delimiters='|'; }

# is_saved NUMBER LABEL: as coreos-installer decides, src/blockdev.rs, matches_filters.
is_saved() {
  local pattern first last LC_ALL=C
  while read -r pattern; do
    # shellcheck disable=SC2053 # A pattern.
    if [[ "${2}" == ${pattern} ]]; then return 0; fi
  done < <(jq --raw-output '.savePartitionLabels[]?' <<<"${coreos_installer}")
  while IFS='-' read -r first last; do
    if ((${1} >= first && ${1} <= last)); then return 0; fi
  done < <(jq --raw-output '.savePartitionIndexes[]? | if test("-") then sub("-$"; "-4294967295") else "\(.)-\(.)" end' <<<"${coreos_installer}")
  return 1
}

# check_saved_partitions DISK PTTYPE: coreos-installer can keep the partitions, and the system has enough space before them.
check_saved_partitions() {
  local table saved number start label
  keeps_partitions || return 0
  if is_dasd "$(device_of "${1}")"; then
    echo "the installation disk ${1} is a DASD, whose partitions coreos-installer cannot keep"
    return 1
  fi
  if ! table="$(partition_table "${1}")"; then
    if [[ -z "${2}" ]]; then return 0; fi
    echo "the partition table of the installation disk ${1} (${2}) cannot be read, so its partitions cannot be kept"
    return 1
  fi
  if [[ "${table}" == "${table%%$'\n'*}" ]]; then return 0; fi
  if [[ "${table%%$'\n'*}" != gpt ]]; then
    echo "the partition table of the installation disk ${1} is ${table%%$'\n'*}; coreos-installer keeps only partitions of a GPT"
    return 1
  fi
  saved="$(saved_partitions "${1}" | sort --key=2 --numeric-sort)"
  if [[ -z "${saved}" ]]; then
    check_nothing_is_lost "${1}" "${table}"
    return
  fi
  IFS=$'\t' read -r number start label <<<"${saved}"
  if ((start < SNO_MINIMUM_SYSTEM_MIB)); then
    echo "partition ${number} (${label}) of the installation disk ${1}, which is kept, begins at ${start} MiB;" \
      "the system needs the first ${SNO_MINIMUM_SYSTEM_MIB} MiB"
    return 1
  fi
}

# check_nothing_is_lost DISK TABLE: on a disk with an installed CoreOS, a pattern that matches no partition is probably mistyped.
check_nothing_is_lost() {
  if [[ -e "${reinstall_permission:?}" || "${reinstall:?}" == Always ]] || ! is_coreos "${2}"; then return 0; fi
  echo "coreosInstaller keeps no partition of the installation disk ${1}, which has $(shown_partitions "${2}"):" \
    "correct the pattern, or run 'sudo touch ${reinstall_permission#"${SNO_ROOT}"}' to keep none"
  return 1
}

# is_coreos TABLE: it has the labels of the image. Source: coreos/coreos-assembler
is_coreos() { cut --fields=3 <<<"${1}" | grep --quiet --line-regexp boot && cut --fields=3 <<<"${1}" | grep --quiet --line-regexp root; }

shown_partitions() {
  tail --lines=+2 <<<"${1}" | awk -F '\t' '{ printf "%s%s (%s)", gap, $1, $3; gap = ", " }'
}

# Source of the name: Linux, Documentation/admin-guide/devices.txt (block major 94)
is_dasd() { [[ "${1}" == /dev/dasd* ]]; }
