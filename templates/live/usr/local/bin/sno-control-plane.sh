#!/usr/bin/env bash
# Makes the control plane that the installer rendered (${SNO_HOME}/control-plane) into this node's: puts in what only the node
# knows, and issues the certificates that hold its name and address.
#
# When:   sourced by bootkube-control-plane.sh, after sno-checks.sh; needs the payload for the images.
# Writes: ${SNO_HOME}/control-plane-filled, anew each time; the rendered files stay as they are.
# Stops:  nothing; functions fail with a message.

rendered_dir="${SNO_HOME}/control-plane"
filled_dir="${SNO_HOME}/control-plane-filled"

# fill_control_plane: the whole, under its name only when it is complete.
fill_control_plane() {
  local draft="${filled_dir}.new"
  [[ -d "${rendered_dir}" ]] || fail "SNO_RENDER is Installer, but ${rendered_dir} is missing" || return 1
  rm --recursive --force "${draft:?}" "${filled_dir:?}"
  (umask 077 && cp --recursive "${rendered_dir}" "${draft}")
  (umask 077 && fill_placeholders "${draft}") || return 1
  (umask 077 && issue_node_certificates "${draft}") || return 1
  mv --no-target-directory "${draft}" "${filled_dir}"
}

# fill_placeholders FOLDER: a placeholder is @@name@@, in a file or in its name; one that nobody knows must not reach a static pod.
fill_placeholders() {
  local found name value script='' file
  found="$(placeholders_in "${1}")"
  [[ -n "${found}" ]] || return 0
  while read -r name; do
    value="$(node_fact "${name//@@/}")" || return 1
    script+="s|${name}|$(printf '%s' "${value}" | sed 's/[&|\\]/\\&/g')|g;"
  done <<<"${found}"
  grep --recursive --files-with-matches --extended-regexp "${placeholder}" "${1}" | while read -r file; do
    list_gates "${file}" || return 1
    sed --in-place "${script}" "${file}"
  done
  # What lies deepest first, so that no folder is renamed above a path that is still to come.
  find "${1}" -depth -name '*@@*' | while read -r file; do
    mv --no-target-directory "${file}" "$(dirname "${file}")/$(basename "${file}" | sed "${script}")"
  done
}

placeholder='@@[a-z][a-z-]*@@'

# placeholders_in FOLDER: every placeholder once, a line each.
placeholders_in() {
  {
    grep --recursive --only-matching --no-filename --extended-regexp "${placeholder}" "${1}" || true
    find "${1}" -printf '%P\n' | grep --only-matching --extended-regexp "${placeholder}" || true
  } | LC_ALL=C sort --unique
}

# node_fact NAME: prints what stands for a placeholder on this node.
node_fact() {
  local name address
  name="$(node_name)" || return 1
  address="$(node_address)" || return 1
  # The kubelet registers under the host name in lower case.
  name="${name,,}"
  case "${1}" in
    node-name) printf '%s\n' "${name}" ;;
    node-environment-name) printf '%s\n' "${name//[-.]/_}" ;;
    node-ip) printf '%s\n' "${address}" ;;
    node-url-host) if [[ "${address}" == *:* ]]; then printf '[%s]\n' "${address}"; else printf '%s\n' "${address}"; fi ;;
    # Source: cluster-etcd-operator, keys of the ConfigMap etcd-endpoints
    node-endpoint-key) printf '%s' "${address}" | base64 --wrap=0 | tr --delete = ;;
    feature-gates) payload_gates | paste --serial --delimiters=, ;;
    image-*) image_for "${1#image-}" ;;
    *) fail "the rendered control plane asks for ${1}, which this node does not know" ;;
  esac
}

# payload_gates: the feature gates of the payload, a line `Name=true` or `Name=false` each, as the stage api-bootstrap has put them
# into the status of the FeatureGate. Source: openshift/api config/v1 FeatureGateStatus
payload_gates() {
  awk '
    /^[^ ]/ { inside = /^status:/ }
    inside && /^ *(- )?enabled:/ { is_on = "true" }
    inside && /^ *(- )?disabled:/ { is_on = "false" }
    inside && /^ *- name: / { print $3 "=" is_on }
  ' "${SNO_HOME}/manifests/99_feature-gate.yaml"
}

# list_gates FILE: where the gates are an item of a YAML list by themselves, one item each.
list_gates() {
  grep --quiet --extended-regexp "${gate_item}" "${1}" || return 0
  local gates draft="${1}.gates"
  gates="$(payload_gates)" || return 1
  GATES="${gates}" awk -v item="${gate_item}" '
    $0 ~ item {
      indent = substr($0, 1, index($0, "-") - 1)
      count = split(ENVIRON["GATES"], each, "\n")
      for (i = 1; i <= count; i++) print indent "- " each[i]
      next
    }
    { print }
  ' "${1}" >"${draft}" && chmod --reference="${1}" "${draft}" && mv --no-target-directory "${draft}" "${1}"
}

gate_item="^ *- [\"']?@@feature-gates@@[\"']?$"

# issue_node_certificates FOLDER: those of FOLDER/node-certificates.json, a pair each, and the Secrets that hold them.
issue_node_certificates() {
  local list="${1}/node-certificates.json" pairs="${1}/pairs" certificate secret
  [[ -e "${list}" ]] || return 0
  mkdir --parents "${pairs}"
  while read -r certificate; do
    issue_certificate "${1}" "${certificate}" || return 1
  done < <(jq --compact-output '.certificates[]' "${list}")
  while read -r secret; do
    write_secret "${1}" "${secret}" || return 1
  done < <(jq --compact-output '.secrets[]' "${list}")
}

# issue_certificate FOLDER JSON: the pair pairs/NAME.{crt,key}, and copies of it where etcd reads it. The signer's certificate
# follows in the file.
issue_certificate() {
  local name signer key request extensions days file
  name="$(jq --raw-output .name <<<"${2}")"
  signer="${1}/tls/$(jq --raw-output .signer <<<"${2}")"
  key="${1}/pairs/${name}.key"
  request="${1}/pairs/${name}.csr"
  extensions="${1}/pairs/${name}.ext"
  make_key "${key}" || return 1
  jq --raw-output '"basicConstraints = critical, CA:FALSE",
    "keyUsage = critical, digitalSignature, keyEncipherment",
    "extendedKeyUsage = \(.extendedKeyUsage)",
    "subjectAltName = \(.subjectAltName)",
    "authorityKeyIdentifier = keyid"' <<<"${2}" >"${extensions}"
  days="$(days_within_signer "${signer}.crt" "$(jq --raw-output .days <<<"${2}")")" || return 1
  openssl req -new -key "${key}" -subj "$(jq --raw-output .subject <<<"${2}")" -out "${request}" &&
    openssl x509 -req -in "${request}" -CA "${signer}.crt" -CAkey "${signer}.key" -sha256 -days "${days}" \
      -set_serial "0x$(openssl rand -hex 15)" -extfile "${extensions}" -out "${1}/pairs/${name}.crt" 2>/dev/null ||
    fail "openssl cannot issue the certificate ${name}" || return 1
  cat "${signer}.crt" >>"${1}/pairs/${name}.crt"
  rm --force "${request}" "${extensions}"
  while read -r file; do
    mkdir --parents "$(dirname "${1}/etc-kubernetes/${file}")"
    cp "${1}/pairs/${name}.crt" "${1}/etc-kubernetes/${file}.crt"
    cp "${key}" "${1}/etc-kubernetes/${file}.key"
  done < <(jq --raw-output '.files[]' <<<"${2}")
}

# make_key FILE: a key of the algorithm that the installer's own keys have.
make_key() {
  local options
  case "${SNO_KEY_ALGORITHM}" in
    RSA-*) options=(-algorithm RSA -pkeyopt "rsa_keygen_bits:${SNO_KEY_ALGORITHM#RSA-}") ;;
    ECDSA-*) options=(-algorithm EC -pkeyopt "ec_paramgen_curve:P-${SNO_KEY_ALGORITHM#ECDSA-P}") ;;
    *) fail "keys of the algorithm ${SNO_KEY_ALGORITHM} cannot be made here" || return 1 ;;
  esac
  openssl genpkey "${options[@]}" -out "${1}" 2>/dev/null ||
    fail 'openssl cannot make a key'
}

# days_within_signer CERTIFICATE DAYS: no certificate outlives what signed it.
days_within_signer() {
  local end left
  end="$(openssl x509 -in "${1}" -noout -enddate)" || return 1
  left="$((($(date --date="${end#notAfter=}" +%s) - $(date +%s)) / 86400))"
  printf '%s\n' "$((left < ${2} ? left : ${2}))"
}

# write_secret FOLDER JSON: a manifest of a Secret with pairs that were issued here; JSON is YAML too.
write_secret() {
  local texts='{}' key pair part annotations
  while IFS=$'\t' read -r key pair part; do
    texts="$(jq --arg key "${key}" --rawfile text "${1}/pairs/${pair}.${part}" '. + { ($key): $text }' <<<"${texts}")" ||
      return 1
  done < <(jq --raw-output '.data[] | [.key, .pair, .part] | @tsv' <<<"${2}")
  annotations="$(date_annotations "${1}" "${2}")" || return 1
  mkdir --parents "${1}/manifests"
  jq --argjson texts "${texts}" --argjson annotations "${annotations}" \
    '(.object | .metadata.annotations += $annotations) + { stringData: $texts }' <<<"${2}" \
    >"${1}/manifests/$(jq --raw-output .file <<<"${2}")"
}

# date_annotations FOLDER JSON: when the pair of a Secret begins and ends, as operators look for it; {} where it holds several.
date_annotations() {
  local pair begin end
  pair="$(jq --raw-output '.dates.pair // ""' <<<"${2}")"
  if [[ -z "${pair}" ]]; then
    printf '{}\n'
    return 0
  fi
  begin="$(openssl x509 -in "${1}/pairs/${pair}.crt" -noout -startdate)" &&
    end="$(openssl x509 -in "${1}/pairs/${pair}.crt" -noout -enddate)" ||
    fail "openssl cannot read the certificate ${pair}" || return 1
  jq --arg begins "$(rfc3339 "${begin#notBefore=}")" --arg ends "$(rfc3339 "${end#notAfter=}")" \
    '.dates | { (.notBefore): $begins, (.notAfter): $ends }' <<<"${2}"
}

rfc3339() {
  date --utc --date="${1}" +%Y-%m-%dT%H:%M:%SZ
}
