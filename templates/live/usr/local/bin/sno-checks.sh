#!/usr/bin/env bash
# Checks of the machine. Each check prints one sentence and returns 1 if something is wrong; otherwise it prints nothing and returns 0.
# The caller decides on the consequence.
#
# When:   sourced after sno-common.sh, by sno-preflight.sh (early; warns) and install-to-disk.sh (before the disk is written;
#         refuses).
# Writes: nothing.
# Stops:  nothing.

# A machine with 16 GiB reports a little less. Source: OpenShift documentation, requirements for a single node
export SNO_MINIMUM_MEMORY_MIB="${SNO_MINIMUM_MEMORY_MIB:-15000}"

last_finding=

# holds CHECK [ARG…]: returns the check's status, for wait_until; logs its finding each time it changes.
holds() {
  local finding status=0
  finding="$("${@}")" || status=1
  if [[ -n "${finding}" && "${finding}" != "${last_finding}" ]]; then log "${finding}"; fi
  last_finding="${finding}"
  return "${status}"
}

# check_clock: the clock is within the validity of the certificates.
check_clock() {
  local now
  now="$(date +%s)"
  if ((now < SNO_NOT_BEFORE)); then
    echo "the clock is at $(date_of "${now}"), but the certificates are not valid before $(date_of "${SNO_NOT_BEFORE}")"
    return 1
  fi
  if ((now > SNO_NOT_AFTER)); then
    echo "the clock is at $(date_of "${now}"), but the certificates expired at $(date_of "${SNO_NOT_AFTER}"): create a new Ignition config"
    return 1
  fi
}

# check_hostname: the machine has a host name without localhost. etcd's certificates and member name contain it, so it must be the same
# after the reboot; with localhost in it, node-valid-hostname waits for another one. Source: machine-config-operator, mco-hostname
check_hostname() {
  local name
  name="$(node_name)"
  case "${name}" in
    '' | *localhost*)
      echo "the host name is '${name}': set one with hostname in sno-config.yaml, by DHCP or by reverse DNS"
      return 1
      ;;
  esac
  if ((${#name} > 63)) || [[ ! "${name,,}" =~ ${domain_name} ]]; then
    echo "the host name is '${name}', which is not a name for a node: it has at most 63 characters, letters, digits, '-' and '.'"
    return 1
  fi
  if [[ -n "${SNO_HOSTNAME}" && "${name}" != "${SNO_HOSTNAME}" ]]; then
    echo "the host name is '${name}', but the configuration says '${SNO_HOSTNAME}'"
    return 1
  fi
}

# The name becomes that of the Node and the value of a label. Source: k8s.io/apimachinery, pkg/util/validation
domain_name='^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'

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

# check_name NAME: DNS resolves the name to an address of this machine; `dns.apiCheck` of sno-config.yaml can relax this.
check_name() {
  local address found
  if [[ "${api_check}" == None ]]; then return 0; fi
  found="$(addresses_of "${1}")"
  if [[ -z "${found}" ]]; then
    echo "the name ${1} does not resolve"
    return 1
  fi
  if [[ "${api_check}" == Reachable ]]; then return 0; fi
  address="$(node_address)"
  if [[ -n "${address}" ]] && ! grep --quiet --line-regexp --fixed-strings "${address}" <<<"${found}"; then
    echo "the name ${1} resolves to ${found//$'\n'/, }, which is not this machine's address ${address}; behind a load balancer or NAT, set dns.apiCheck"
    return 1
  fi
}

api_check="${SNO_API_CHECK:-Address}"

# node_name: prints the current host name; uname is the fallback if the program hostname is missing.
node_name() { hostname 2>/dev/null || uname --nodename; }

# node_address: prints the address that the cluster uses: ${SNO_NODE_IP}, the recorded one if the machine still has it, or the best one in
# the first machine network in which the machine has an address. Prints nothing if there is none.
node_address() {
  local network found known="${SNO_NODE_IP}"
  if [[ -z "${known}" && -s "${node_address_file}" ]]; then known="$(<"${node_address_file}")"; fi
  if [[ -n "${known}" ]] && has_address "${known}"; then
    printf '%s\n' "${known}"
    return 0
  fi
  if [[ -n "${SNO_NODE_IP}" ]]; then return 0; fi
  for network in ${SNO_MACHINE_NETWORKS}; do
    found="$(usable_addresses "${network}")"
    if [[ -n "${found}" ]]; then
      head --lines=1 <<<"${found}"
      return 0
    fi
  done
}

# A second address that appears later must not change the choice: etcd's certificates contain the first one.
node_address_file="${SNO_HOME}/node-address"

# keep_node_address: records the choice of node_address.
keep_node_address() {
  local address
  address="$(node_address)"
  if [[ -n "${address}" && "${address}" != "$(cat "${node_address_file}" 2>/dev/null)" ]]; then
    keep "${node_address_file}" "${address}"
  fi
}

# check_address_is_kept: the machine still has the address that keep_node_address recorded.
check_address_is_kept() {
  local kept
  kept="$(cat "${node_address_file}" 2>/dev/null)" || return 0
  if ! has_address "${kept}"; then
    echo "the address ${kept}, with which etcd was started, is no longer on this machine: set it again, or boot the medium again"
    return 1
  fi
}

# is_identity NAME ADDRESS: the machine has this host name and this address, and possibly other addresses.
is_identity() { [[ "${1}" == "$(node_name)" ]] && has_address "${2}"; }

has_address() {
  local network
  for network in ${SNO_MACHINE_NETWORKS}; do
    if grep --quiet --line-regexp --fixed-strings "${1}" <<<"$(usable_addresses "${network}")"; then return 0; fi
  done
  return 1
}

# usable_addresses NETWORK: the addresses of the cluster's family in the network, best first. The order is the one by which the installed
# node chooses the kubelet's address: metric of the interface's default route, interface, gateway in the address's subnet, public before
# private, value. Interfaces without a default route come last. Deprecated, temporary and tentative addresses are left out.
# Source: openshift/baremetal-runtimecfg, pkg/utils/addresses_linux.go (ValidNodeAddress, addressesDefaultInternal)
usable_addresses() {
  {
    ip "-${SNO_IP_FAMILY}" -oneline route show default 2>/dev/null || true
    ip "-${SNO_IP_FAMILY}" -oneline address show scope global to "${1}" 2>/dev/null || true
  } | awk "${rank_addresses}" | LC_ALL=C sort | awk '{ print $NF }'
}

# Prints a sort key and the address for each line of `ip address`, after reading the lines of `ip route`.
# shellcheck disable=SC2016
rank_addresses='
  function field(name,   i) { for (i = 1; i < NF; i++) if ($i == name) return $(i + 1); return "" }
  function binary(value, width,   text) {
    for (; width > 0; width--) { text = value % 2 text; value = int(value / 2) }
    return text
  }
  function bits(address,   parts, count, i, text, before, after, zeros) {
    if (address !~ /:/) {
      count = split(address, parts, ".")
      for (i = 1; i <= count; i++) text = text binary(parts[i], 8)
      return text
    }
    before = address; after = ""
    if (i = index(address, "::")) { before = substr(address, 1, i - 1); after = substr(address, i + 2) }
    text = groups(before); after = groups(after)
    for (zeros = 128 - length(text) - length(after); zeros > 0; zeros--) text = text "0"
    return text after
  }
  function groups(list,   parts, count, i, j, text, group) {
    count = split(list, parts, ":")
    for (i = 1; i <= count; i++) {
      group = tolower(substr("000" parts[i], length(parts[i])))
      for (j = 1; j <= 4; j++) text = text binary(index("0123456789abcdef", substr(group, j, 1)) - 1, 4)
    }
    return text
  }
  $1 == "default" {
    dev = field("dev")
    if (!(dev in metric)) { metric[dev] = field("metric") + 0; gateway[dev] = field("via") }
    next
  }
  / (deprecated|temporary|tentative|dadfailed) / { next }
  {
    dev = $2; sub("@.*", "", dev)
    split($4, parts, "/")
    own = bits(parts[1])
    is_reached = dev in metric && gateway[dev] != "" && substr(bits(gateway[dev]), 1, parts[2]) == substr(own, 1, parts[2])
    is_private = own ~ /^(00001010|101011000001|1100000010101000)/ && length(own) == 32 || own ~ /^1111110/ && length(own) == 128
    printf "%010.0f %06d %d %d %s %s\n", dev in metric ? metric[dev] : 9999999999, $1, !is_reached, is_private, own, parts[1]
  }'

# addresses_of NAME: prints each address the name resolves to, once.
addresses_of() { { timeout 30 getent ahosts "${1}" || true; } | awk '{ print $1 }' | sort --unique; }

# date_of EPOCH_SECONDS
date_of() { TZ=UTC0 printf '%(%Y-%m-%d %H:%M:%S UTC)T\n' "${1}"; }
