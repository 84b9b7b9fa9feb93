#!/usr/bin/env bash
# Completes the control plane rendered by the installer (${SNO_HOME}/control-plane) for this node: fills in values that only the node
# has, and issues the certificates with its name and address.
#
# When:   sourced by bootkube-control-plane.sh, after sno-checks.sh; needs the payload for the images.
# Writes: ${SNO_HOME}/control-plane-filled, replaced each time; the rendered files stay unchanged.
# Stops:  nothing; functions fail with a message.

rendered_dir="${SNO_HOME}/control-plane"
filled_dir="${SNO_HOME}/control-plane-filled"

# fill_control_plane: creates the folder atomically.
fill_control_plane() {
  local draft="${filled_dir}.new"
  [[ -d "${rendered_dir}" ]] || fail "SNO_RENDER is Installer, but ${rendered_dir} is missing" || return 1
  rm --recursive --force "${draft:?}" "${filled_dir:?}"
  (umask 077 && cp --recursive "${rendered_dir}" "${draft}")
  (umask 077 && fill_placeholders "${draft}") || return 1
  (umask 077 && issue_node_certificates "${draft}") || return 1
  mv --no-target-directory "${draft}" "${filled_dir}"
}

# fill_placeholders FOLDER: a placeholder is @@name@@ in a file or a file name; an unknown one must not reach a static pod.
fill_placeholders() {
  local found name value script='' file
  found="$(placeholders_in "${1}")"
  [[ -n "${found}" ]] || return 0
  while read -r name; do
    value="$(node_fact "${name//@@/}")" || return 1
    script+="s|${name}|$(printf '%s' "${value}" | sed 's/[&|\\]/\\&/g')|g;"
  done <<<"${found}"
  grep --recursive --files-with-matches --extended-regexp "${placeholder}" "${1}" | while read -r file; do
    list_gates "${file}" && sed --in-place "${script}" "${file}" || return 1
  done || return 1
  # Deepest paths first, so that renaming a folder does not change a path that follows.
  find "${1}" -depth -name '*@@*' | while read -r file; do
    mv --no-target-directory "${file}" "$(dirname "${file}")/$(basename "${file}" | sed "${script}")" || return 1
  done
}

placeholder='@@[a-z][a-z-]*@@'

# placeholders_in FOLDER: each placeholder once, one per line.
placeholders_in() {
  {
    grep --recursive --only-matching --no-filename --extended-regexp "${placeholder}" "${1}" || true
    find "${1}" -printf '%P\n' | grep --only-matching --extended-regexp "${placeholder}" || true
  } | LC_ALL=C sort --unique
}

# node_fact NAME: prints the value of a placeholder on this node.
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

# payload_gates: prints the feature gates of the payload, `Name=true` or `Name=false` per line. The stage api-bootstrap wrote them into
# the status of the FeatureGate, as JSON. Sources: openshift/api payload-command/render; the order is that of the operators, library-go
# pkg/operator/configobserver/featuregates
payload_gates() {
  local file="${SNO_HOME}/manifests/99_feature-gate.yaml" gates=''
  gates="$(jq --raw-output '.status.featureGates[]
    | (.enabled[]? | "\(.name)=true"), (.disabled[]? | "\(.name)=false")' "${file}" 2>/dev/null)" || true
  [[ -n "${gates}" ]] || fail "the release payload gave no feature gates: ${file} lists none in its status" || return 1
  printf '%s\n' "${gates}"
}

# list_gates FILE: replaces the item of a YAML list that is the placeholder of the gates by one item per gate.
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

# issue_node_certificates FOLDER: issues the certificates of FOLDER/node-certificates.json and writes the Secrets that contain them.
issue_node_certificates() {
  local list="${1}/node-certificates.json" certificates name signer subject usages names days files
  [[ -e "${list}" ]] || return 0
  mkdir --parents "${1}/pairs" "${1}/manifests"
  certificates="$(jq --raw-output '.certificates[]
    | [.name, .signer, .subject, .extendedKeyUsage, .subjectAltName, .days, (.files | join(" "))] | @tsv' "${list}")" || return 1
  while IFS=$'\t' read -r name signer subject usages names days files; do
    issue_certificate "${1}" "${name}" "${1}/tls/${signer}" "${subject}" "${usages}" "${names}" "${days}" || return 1
    # shellcheck disable=SC2086
    copy_pair "${1}/pairs/${name}" "${1}/etc-kubernetes" ${files} || return 1
  done <<<"${certificates}"
  write_secrets "${1}" "${list}"
}

# issue_certificate FOLDER NAME SIGNER SUBJECT USAGES NAMES DAYS: writes pairs/NAME.{crt,key}. The .crt file also contains the signer's
# certificate.
issue_certificate() {
  local pair="${1}/pairs/${2}" days
  make_key "${pair}.key" || return 1
  cat >"${pair}.ext" <<END
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature, keyEncipherment
extendedKeyUsage = ${5}
subjectAltName = ${6}
authorityKeyIdentifier = keyid
END
  days="$(days_within_signer "${3}.crt" "${7}")" || return 1
  openssl req -new -key "${pair}.key" -subj "${4}" -out "${pair}.csr" &&
    openssl x509 -req -in "${pair}.csr" -CA "${3}.crt" -CAkey "${3}.key" -sha256 -days "${days}" \
      -set_serial "0x$(openssl rand -hex 15)" -extfile "${pair}.ext" -out "${pair}.crt" 2>/dev/null ||
    fail "openssl cannot issue the certificate ${2}" || return 1
  cat "${3}.crt" >>"${pair}.crt" || return 1
  rm --force "${pair}.csr" "${pair}.ext"
}

# copy_pair PAIR FOLDER FILE…: copies the pair to the paths that etcd reads.
copy_pair() {
  local file
  for file in "${@:3}"; do
    mkdir --parents "$(dirname "${2}/${file}")" && cp "${1}.crt" "${2}/${file}.crt" && cp "${1}.key" "${2}/${file}.key" || return 1
  done
}

# make_key FILE: a key with the algorithm of the installer's keys.
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

# days_within_signer CERTIFICATE DAYS: no certificate outlives its signer.
days_within_signer() {
  local end left
  end="$(openssl x509 -in "${1}" -noout -enddate)" || return 1
  left="$((($(date --date="${end#notAfter=}" +%s) - $(date +%s)) / 86400))"
  printf '%s\n' "$((left < ${2} ? left : ${2}))"
}

# write_secrets FOLDER LIST: writes a manifest (JSON, which is also YAML) for each Secret with certificates issued here. A Secret with a
# single pair has the annotations for begin and end that operators read.
write_secrets() {
  local crt name facts=() begin end manifests file manifest
  for crt in "${1}"/pairs/*.crt; do
    name="$(basename "${crt}" .crt)"
    { read -r begin && read -r end; } < <(dates_of "${crt}") || fail "openssl cannot read the certificate ${name}" || return 1
    facts+=(--rawfile "${name}.crt" "${crt}" --rawfile "${name}.key" "${crt%.crt}.key")
    facts+=(--arg "${name}.begins" "${begin}" --arg "${name}.ends" "${end}")
  done
  manifests="$(jq --raw-output "${facts[@]}" '$ARGS.named as $facts | .secrets[] | .dates as $dates | .file,
    (.object + { stringData: [.data[] | { (.key): $facts["\(.pair).\(.part)"] }] | add }
    | if $dates then .metadata.annotations += {
        ($dates.notBefore): $facts["\($dates.pair).begins"], ($dates.notAfter): $facts["\($dates.pair).ends"]
      } else . end | tojson)' "${2}")" || return 1
  while read -r file && read -r manifest; do
    printf '%s\n' "${manifest}" >"${1}/manifests/${file}" || return 1
  done <<<"${manifests}"
}

# dates_of CERTIFICATE: prints notBefore and notAfter, one per line, in RFC 3339 format.
dates_of() {
  local text
  text="$(openssl x509 -in "${1}" -noout -startdate -enddate)" || return 1
  text="${text/notBefore=/}"
  date --utc --file=- +%Y-%m-%dT%H:%M:%SZ <<<"${text/notAfter=/}"
}
