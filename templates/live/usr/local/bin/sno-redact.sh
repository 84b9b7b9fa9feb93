#!/usr/bin/env bash
# Removes secrets from gathered files: private keys, the registry credentials of a pull secret, tokens, passwords in URLs.
#
# When:   sourced by sno-gather.sh and bootstrap-cluster-gather.sh. Needs no env file and no cluster.
# Writes: remove_secret_files and redact_files change the given folder.
# Stops:  nothing.

# redact: a filter. A PEM key is removed across lines, each of which may have the journal's prefix. A begin line without an end line does
# not remove the text that follows: a line of a key ends in 40 characters of base64 or more, and only its last line before the end line
# may be shorter.
redact() {
  awk '
    function release() { if (held != "") print held; held = "" }
    /-----BEGIN [A-Z ]*PRIVATE KEY-----/ && !/-----END [A-Z ]*PRIVATE KEY-----/ {
      release(); sub(/-----BEGIN [A-Z ]*PRIVATE KEY-----.*/, "[redacted private key]"); print; inKey = 1; next
    }
    inKey && /-----END [A-Z ]*PRIVATE KEY-----/ { held = ""; inKey = 0; next }
    inKey && match($0, /[A-Za-z0-9+\/=]+[ \t\r]*$/) && RLENGTH >= 40 { release(); next }
    inKey && held == "" && RSTART > 0 { held = $0; next }
    { release(); inKey = 0; print }
    END { release() }
  ' | sed --regexp-extended --expression="${secret_forms}"
}

# The forms of src/core/secrets.ts, one filter each; a test holds both against the same corpus. In base64, the words PRIVATE KEY and
# "auth look different by where they begin, which is at one of three offsets (RFC 4648, section 4).
# shellcheck disable=SC2016
secret_forms='
s#-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----([^-]|-[^-])*-----END [A-Z ]*PRIVATE KEY( BLOCK)?-----#[redacted private key]#g
s#-----BEGIN(%20)([A-Z]*%20)*PRIVATE%20KEY-----.*#[redacted private key]#g
s#[A-Za-z0-9+/_-]*(UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW)[A-Za-z0-9+/=_-]*#[redacted private key]#g
s#LS0tLS1CRUdJTiB(QUklW|SU0Eg|FQyBQ|FTkNS|PUEVO)[A-Za-z0-9+/=]*#[redacted private key]#g
s#[A-Za-z0-9+/_-]*(ImF1dG|JhdXRo|iYXV0a)[A-Za-z0-9+/=_-]*#[redacted pull secret]#g
s#AGE-SECRET-KEY-(PQ-)?1[0-9A-Z]{8,}#[redacted identity]#gI
s#eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*#[redacted token]#g
s#sha256~[A-Za-z0-9_-]{8,}#[redacted token]#g
s#(["\x27](auth|identitytoken|registrytoken|password|passwd|secret|token|client-key-data|client-?secret|bearertoken|\.dockerconfigjson|\.dockercfg)\\*["\x27][[:space:]]*:[[:space:]]*\\*["\x27])[^"\x27\\]*#\1[redacted]#gI
s#((^|[^A-Za-z"\x27.-])(auth|identitytoken|registrytoken|password|passwd|secret|token|client-key-data|client-?secret|bearertoken|\.dockerconfigjson|\.dockercfg):[[:space:]]+["\x27]?)[^][:space:]"\x27[{|>][^[:space:]]*#\1[redacted]#gI
s#((^|[^A-Za-z])[A-Za-z0-9_.-]{0,40}(password|passwd|token|secret)=["\x27]?)[^][:space:]"\x27[&]+#\1[redacted]#gI
s#((Bearer|Basic) )[A-Za-z0-9._~+/=-]{8,}#\1[redacted]#gI
s#(://)[^/@[:space:]"\x27<>]+@#\1[redacted]@#g
'

# redact_machine_configs: a filter for the JSON of MachineConfigs. Their files are data URLs; one that cannot be decoded here or contains
# a secret is dropped.
redact_machine_configs() {
  jq '
    def plain: sub("^data:[^,]*;base64,"; "") | @base64d;
    def secret: if startswith("data:") | not then false
      elif test("^data:[^,]*;base64,") then (try plain catch "") | . == "" or test("PRIVATE|\"auths\"|-key-data|token|[^[:ascii:]]")
      else test("PRIVATE|auths|-key-data|token") end;
    walk(if type == "object" and (.source | type) == "string" and (.source | secret)
      then .source = "data:,[redacted]" | del(.compression) else . end)'
}

# Signs of a Secret in a file, also inside of another text: the key `kind` followed by the value Secret or SecretList, an alias, or a
# value with an escape, with everything that YAML allows before a value (quotes, line breaks, comments, tags, anchors, block headers);
# the key of a Secret's data; letters written as escapes, which only hide something.
may_be_secret='kind[^[:alnum:]:]*:([^[:alnum:]#!&*|>]|#.*|[!&][^[:space:]]*[[:space:]]|[|>][-+0-9]*)*(Secret|\*|[[:alpha:]]+\\)'
may_be_secret+='|stringData[^[:alnum:]:]*:|\\(x|u00|U000000)[4-7][[:xdigit:]]'

# remove_secret_files FOLDER: removes files that are or may be Secrets, keys or kubeconfigs, and files that the filters cannot read. A
# file is read as a whole, since a value may follow its key after some lines; a file with NUL bytes, which may be UTF-16, is removed.
remove_secret_files() {
  local file
  find "${1}" -depth \( -iname '*secret*' -o -name '*kubeconfig*' -o -name '*.key' -o -name .kube -o -name .docker \
    -o -name '*.ign' -o -name '*.ign.new' -o -name '*.db' -o -name '*.gz' -o -type l \) -exec rm --recursive --force {} +
  find "${1}" -type f -print0 | while IFS= read -r -d '' file; do
    if (($(tr --complement --delete '\000' <"${file}" | wc --bytes) > 0)) ||
      grep --quiet --null-data --text --extended-regexp "${may_be_secret}" "${file}"; then
      rm --force "${file}"
    fi
  done
}

# redact_files FOLDER: redacts every file in place except compressed ones, which were redacted before compression.
redact_files() {
  local file
  find "${1}" -type f ! -name '*.gz' -print0 | while IFS= read -r -d '' file; do
    redact <"${file}" >"${file}.redacted"
    mv --force "${file}.redacted" "${file}"
  done
}
