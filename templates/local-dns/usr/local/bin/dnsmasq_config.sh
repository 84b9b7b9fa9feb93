#!/bin/bash
# Writes the configuration of this node's DNS server before it starts.
#
# lifecycle-agent looks for this script under this name. After an image-based upgrade or a change of the address it
# writes SNO_CLUSTER_NAME_OVERRIDE, SNO_BASE_DOMAIN_OVERRIDE and SNO_DNSMASQ_IP_OVERRIDE into the overrides file and
# restarts dnsmasq. Source: openshift-kni/lifecycle-agent lca-cli/postpivot, lca-cli/ipconfig.
set -o errexit -o nounset -o pipefail

# shellcheck source=/dev/null
source /etc/default/local-dns
overrides=/etc/default/sno_dnsmasq_configuration_overrides
if [[ -f "${overrides}" ]]; then
  # shellcheck source=/dev/null
  source "${overrides}"
fi
domain="${SNO_CLUSTER_NAME_OVERRIDE:-${CLUSTER_NAME}}.${SNO_BASE_DOMAIN_OVERRIDE:-${BASE_DOMAIN}}"
address="${SNO_DNSMASQ_IP_OVERRIDE:-${NODE_IP}}"

folder=/etc/dnsmasq.d
mkdir -p "${folder}"
new=$(mktemp "${folder}/.single-node.conf.XXXXXX")
trap 'rm -f "${new}"' EXIT
{
  # "local": queries for addresses of the other IP family are not forwarded; upstream servers would answer that the
  # names do not exist. Source: dnsmasq(8).
  for name in api api-int apps; do echo "address=/${name}.${domain}/${address}"; done
  for name in api api-int apps; do echo "local=/${name}.${domain}/"; done
  echo 'bind-dynamic'
  echo 'listen-address=127.0.0.1'
  echo "listen-address=${address}"
  # The servers that NetworkManager learned answer everything else.
  echo 'resolv-file=/run/NetworkManager/resolv.conf'
  # lifecycle-agent writes "filter-A" or "filter-AAAA" here.
  if [[ -f "${folder}/single-node-filter.conf" ]]; then echo "conf-file=${folder}/single-node-filter.conf"; fi
} >"${new}"
chmod 0644 "${new}"
mv -f "${new}" "${folder}/single-node.conf"
