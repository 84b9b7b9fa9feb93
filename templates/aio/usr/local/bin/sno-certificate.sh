#!/usr/bin/env bash
# Reissues certificates with the authorities of this node: same key, subject, names and usages, later end.
#
# When:   sourced after aio-common.sh, by sno-renew.sh.
# Writes: below ${SNO_HOME}/renewal, which only root may read.
# Stops:  nothing; each function fails with a message.
#
# A renewed certificate keeps its key: only one file changes, so no reader sees a certificate with another key.

renewal_dir="${SNO_HOME}/renewal"
authorities_dir="${AIO_ETC}/pki"
now=

# epoch_of FIELD FILE: notBefore (startdate) or notAfter (enddate) of a certificate, in seconds since 1970.
epoch_of() {
  local text
  text="$(openssl x509 -in "${2}" -noout "-${1}" 2>/dev/null)" || return 1
  date --utc --date="${text#*=}" +%s
}

# read_certificate FILE: sets begin, end and public_key. Fails if the file contains no certificate.
read_certificate() {
  local text dates
  text="$(openssl x509 -in "${1}" -noout -startdate -enddate -pubkey 2>/dev/null)" || return 1
  dates="${text%%$'\n'-----*}"
  dates="${dates/notBefore=/}"
  { read -r begin && read -r end; } < <(date --utc --file=- +%s <<<"${dates/notAfter=/}") || return 1
  # shellcheck disable=SC2034 # The caller's.
  public_key="-----${text#*-----}"
}

# public_key_of KEY
public_key_of() { openssl pkey -in "${1}" -pubout 2>/dev/null; }

# holds_key CERTIFICATE KEY: whether the certificate belongs to this key.
holds_key() {
  [[ "$(openssl x509 -in "${1}" -noout -pubkey 2>/dev/null)" == "$(public_key_of "${2}")" ]]
}

# authority_end SIGNER
authority_end() { epoch_of enddate "${authorities_dir}/${1}.crt"; }

make_renewal_dir() {
  mkdir --parents "${renewal_dir}"
  chmod 0700 "${renewal_dir}"
}

# sign_certificate NAME SIGNER SUBJECT USAGES NAMES KEY: writes ${renewal_dir}/NAME.crt and checks it.
sign_certificate() {
  local name="${1}" signer="${authorities_dir}/${2}" work="${renewal_dir}/${1}" begin end
  begin="$(latest "$((now - SNO_BACKDATE_SECONDS))" "$(epoch_of startdate "${signer}.crt")")"
  end="$(earliest "$((now + SNO_LEAF_SECONDS))" "$(epoch_of enddate "${signer}.crt")")"
  rm --recursive --force "${work}" "${work}.crt"
  make_renewal_dir
  mkdir "${work}"
  : >"${work}/index"
  signing_config "${work}" "${4}" "${5}" >"${work}/config"
  openssl req -new -key "${6}" -subj "${3}" -config "${work}/config" -out "${work}/request" || return 1
  openssl ca -batch -notext -preserveDN -config "${work}/config" -extensions leaf \
    -cert "${signer}.crt" -keyfile "${signer}.key" -in "${work}/request" -out "${work}.crt" \
    -startdate "$(asn1_time "${begin}")" -enddate "$(asn1_time "${end}")" 2>"${work}/said" ||
    fail "openssl could not issue the certificate ${name}: $(tail --lines=3 "${work}/said" | tr '\n' ' ')" || return 1
  check_signed "${work}.crt" "${signer}.crt" "${6}" || fail "the certificate that openssl issued for ${name} does not verify" || return 1
  rm --recursive --force "${work}"
}

# check_signed CERTIFICATE AUTHORITY KEY
check_signed() {
  openssl verify -CAfile "${2}" -partial_chain -attime "${now}" "${1}" >/dev/null 2>&1 && holds_key "${1}" "${3}"
}

# signing_config FOLDER USAGES NAMES: for openssl req and openssl ca. Source: config(5), openssl-ca(1), x509v3_config(5)
signing_config() {
  long_names
  cat <<END
[req]
distinguished_name = subject
prompt = no
string_mask = nombstr
[subject]
commonName = unused
[ca]
default_ca = authority
[authority]
database = ${1}/index
new_certs_dir = ${1}
default_md = sha256
policy = any
unique_subject = no
rand_serial = yes
[any]
commonName = supplied
[leaf]
basicConstraints = critical,CA:FALSE
keyUsage = critical,${SNO_KEY_USAGE}
extendedKeyUsage = ${2}
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always
END
  if [[ "${3}" != - ]]; then printf 'subjectAltName = %s\n' "${3}"; fi
}

# asn1_time EPOCH: GeneralizedTime; openssl converts it to UTCTime where the standard requires it.
asn1_time() { TZ=UTC0 printf '%(%Y%m%d%H%M%SZ)T\n' "${1}"; }

latest() { echo "$((${1} > ${2} ? ${1} : ${2}))"; }

earliest() { echo "$((${1} < ${2} ? ${1} : ${2}))"; }
