#!/usr/bin/env bash
# Checks of the machine. Each prints one sentence on standard output and returns 1 when something is wrong; it prints
# nothing and returns 0 when all is well. What to do about it is the caller's business.
#
# When:   sourced after sno-common.sh, by sno-preflight.sh (early; it warns) and install-to-disk.sh (before the disk is
#         touched; it refuses).
# Writes: nothing.
# Stops:  nothing.

# A machine sold with 16 GiB shows a little less. Source: OpenShift documentation, requirements for a single node
export SNO_MINIMUM_MEMORY_MIB="${SNO_MINIMUM_MEMORY_MIB:-15000}"

last_finding=

# holds CHECK [ARG…]: the check's status, for wait_until; what it finds goes to the log each time it changes.
holds() {
  local finding status=0
  finding="$("${@}")" || status=1
  if [[ -n "${finding}" && "${finding}" != "${last_finding}" ]]; then log "${finding}"; fi
  last_finding="${finding}"
  return "${status}"
}

# check_clock: the clock lies inside the validity of the certificates.
check_clock() {
  local now
  now="$(date +%s)"
  if ((now < SNO_NOT_BEFORE)); then
    echo "the clock says $(date_of "${now}"), before $(date_of "${SNO_NOT_BEFORE}"), when the certificates begin"
    return 1
  fi
  if ((now > SNO_NOT_AFTER)); then
    echo "the clock says $(date_of "${now}"), but the certificates ended $(date_of "${SNO_NOT_AFTER}"): make a new Ignition config"
    return 1
  fi
}

# check_hostname: the machine has a name of its own. etcd's certificates and member name are made from it, so it must be
# the same after the reboot.
check_hostname() {
  local name
  name="$(node_name)"
  case "${name}" in
    '' | localhost | localhost.* | localhost4* | localhost6*)
      echo "the host name is '${name}': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS"
      return 1
      ;;
  esac
  if [[ -n "${SNO_HOSTNAME}" && "${name}" != "${SNO_HOSTNAME}" ]]; then
    echo "the host name is '${name}', but the configuration says '${SNO_HOSTNAME}'"
    return 1
  fi
}

# check_machine_network: the machine has its address in machineNetwork.
check_machine_network() {
  local address
  address="$(node_address)"
  if [[ -z "${address}" ]]; then
    echo "no network interface has an IPv${SNO_IP_FAMILY} address in machineNetwork (${SNO_MACHINE_NETWORKS})${SNO_NODE_IP:+ equal to ${SNO_NODE_IP}}"
    return 1
  fi
}

# check_memory MINIMUM_MIB
check_memory() {
  local kib
  kib="$(awk '$1 == "MemTotal:" { print $2 }' "${SNO_MEMINFO_FILE:-/proc/meminfo}")"
  if ((kib / 1024 < ${1})); then
    echo "the machine has $((kib / 1024)) MiB of memory; the installation needs ${1} MiB"
    return 1
  fi
}

# check_name NAME: DNS knows the name, and gives this machine's address for it.
check_name() {
  local address found
  address="$(node_address)"
  found="$(addresses_of "${1}")"
  if [[ -z "${found}" ]]; then
    echo "the name ${1} does not resolve"
    return 1
  fi
  if [[ -n "${address}" ]] && ! grep --quiet --line-regexp --fixed-strings "${address}" <<<"${found}"; then
    echo "the name ${1} resolves to ${found//$'\n'/, }, which is not this machine's address ${address}"
    return 1
  fi
}

# node_name: prints the host name the kernel has now; where the program hostname is missing, uname knows it as well.
node_name() { hostname 2>/dev/null || uname --nodename; }

# node_address: prints the address the cluster will use: ${SNO_NODE_IP}, or else the first one of the cluster's family in
# the first machine network that has one; nothing when there is none. Source: cluster-etcd-operator render chooses so.
node_address() {
  local network found
  for network in ${SNO_MACHINE_NETWORKS}; do
    found="$({ ip "-${SNO_IP_FAMILY}" -oneline address show scope global to "${network}" 2>/dev/null || true; } |
      awk '{ sub("/.*", "", $4); print $4 }')"
    if [[ -n "${SNO_NODE_IP}" ]]; then
      found="$(grep --line-regexp --fixed-strings "${SNO_NODE_IP}" <<<"${found}" || true)"
    fi
    if [[ -n "${found}" ]]; then
      head --lines=1 <<<"${found}"
      return 0
    fi
  done
}

# addresses_of NAME: prints each address the name resolves to, once.
addresses_of() { { timeout 30 getent ahosts "${1}" || true; } | awk '{ print $1 }' | sort --unique; }

# date_of EPOCH_SECONDS
date_of() { TZ=UTC0 printf '%(%Y-%m-%d %H:%M:%S UTC)T\n' "${1}"; }
