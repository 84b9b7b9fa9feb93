#!/usr/bin/env bash
# The names and addresses of a certificate request, and those of this node, both in hex: text can be made to look like other text.
#
# When:   sourced by sno-csr.sh.
# Writes: nothing.
# Stops:  nothing.

# own_names: the names that a serving certificate of this node may contain, in the format of alternative_names.
own_names() {
  local address
  printf '82 %s\n' "$(kubelet_name | tr --delete '\n' | hex_of)"
  ip -oneline address show scope global | awk '{ sub("/.*", "", $4); print $4 }' | while read -r address; do
    printf '87 %s\n' "$(address_hex "${address}")"
  done
}

# alternative_names FILE: prints tag and value, in hex, of each alternative name: 82 is a DNS name, 87 an address (RFC 5280,
# GeneralName). Parsed from DER, because a name may contain line breaks and commas that mislead a parser of printed text.
alternative_names() {
  local parsed found dump
  parsed="$(openssl asn1parse -in "${1}")" || return 1
  found="$(grep --count --extended-regexp 'OBJECT +:X509v3 Subject Alternative Name$' <<<"${parsed}" || true)"
  if ((found == 0)); then return 0; fi
  if ((found > 1)); then return 1; fi
  dump="$(grep --after-context=1 --extended-regexp 'OBJECT +:X509v3 Subject Alternative Name$' <<<"${parsed}" |
    sed --quiet --regexp-extended 's/^.*OCTET STRING +\[HEX DUMP\]:([0-9A-F]+)$/\1/p')"
  [[ -n "${dump}" ]] && print_names "${dump,,}"
}

# print_names HEX: the elements of one DER sequence.
print_names() {
  local rest length tag
  [[ "${1}" == 30* ]] || return 1
  rest="${1:2}"
  length="$(der_length "${rest}")" || return 1
  rest="${rest:$(der_length_digits "${rest}")}"
  ((${#rest} == length * 2)) || return 1
  while [[ -n "${rest}" ]]; do
    tag="${rest:0:2}"
    rest="${rest:2}"
    length="$(der_length "${rest}")" || return 1
    rest="${rest:$(der_length_digits "${rest}")}"
    ((${#rest} >= length * 2)) || return 1
    printf '%s %s\n' "${tag}" "${rest:0:length*2}"
    rest="${rest:length*2}"
  done
}

# der_length HEX: the length at the beginning; up to 65535, in the short form or the long form of one or two bytes.
der_length() {
  case "${1}" in
    [0-7]?*) echo "$((16#${1:0:2}))" ;;
    81??*) echo "$((16#${1:2:2}))" ;;
    82????*) echo "$((16#${1:2:4}))" ;;
    *) return 1 ;;
  esac
}

# der_length_digits HEX: the number of hex digits of the length field.
der_length_digits() {
  case "${1}" in
    81*) echo 4 ;;
    82*) echo 6 ;;
    *) echo 2 ;;
  esac
}

hex_of() { od --address-radix=n --output-duplicates --format=x1 | tr --delete ' \n'; }

# address_hex ADDRESS: the bytes of an IPv4 or IPv6 address.
address_hex() {
  local before=() after=() group zeros
  if [[ "${1}" != *:* ]]; then
    IFS=. read -r -a before <<<"${1}"
    printf '%02x' "${before[@]}"
    return 0
  fi
  IFS=: read -r -a before <<<"${1%%::*}"
  if [[ "${1}" == *::* ]]; then IFS=: read -r -a after <<<"${1#*::}"; fi
  for group in "${before[@]}"; do printf '%04x' "0x${group}"; done
  for ((zeros = 8 - ${#before[@]} - ${#after[@]}; zeros > 0; zeros--)); do printf 0000; done
  for group in "${after[@]}"; do printf '%04x' "0x${group}"; done
}
