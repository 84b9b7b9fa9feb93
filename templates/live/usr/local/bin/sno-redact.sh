#!/usr/bin/env bash
# Takes the secrets out of what is gathered: private keys, the registry credentials of a pull secret, tokens, passwords in URLs.
#
# When:   sourced by sno-gather.sh and bootstrap-cluster-gather.sh. It needs neither the env file nor a cluster.
# Writes: remove_secret_files and redact_files change the folder they are given.
# Stops:  nothing.

# redact: a filter. A PEM key is cut out over several lines, each of which may carry the journal's prefix. A beginning without an
# end does not swallow what follows: a line of a key ends in 40 characters of base64 or more, and only its last one, before the
# end, may be shorter.
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
  ' | sed --regexp-extended \
    -e 's#-----BEGIN [A-Z ]*PRIVATE KEY-----([^-]|-[^-])*-----END [A-Z ]*PRIVATE KEY-----#[redacted private key]#g' \
    -e 's#LS0tLS1CRUdJTiB(QUklW|SU0Eg|FQyBQ|FTkNS|PUEVO)[A-Za-z0-9+/=]*#[redacted private key]#g' \
    -e 's#(eyJhdXRocyI6|eyAiYXV0aHMi)[A-Za-z0-9+/=]*#[redacted pull secret]#g' \
    -e 's#(\\?"(auth|identitytoken|registrytoken|password|token|client-key-data|\.dockerconfigjson)\\?"[[:space:]]*:[[:space:]]*\\?")[^"\\]*#\1[redacted]#g' \
    -e 's#((^|[^A-Za-z])(client-key-data|\.dockerconfigjson|identitytoken|password|token):[[:space:]]+)[^[:space:]]+#\1[redacted]#g' \
    -e 's#((Bearer|Basic) )[A-Za-z0-9._~+/=-]{8,}#\1[redacted]#g' \
    -e 's#(://)[^/@[:space:]"]+:[^/@[:space:]"]+@#\1[redacted]@#g'
}

# redact_machine_configs: a filter for the JSON of MachineConfigs. The files they write are data URLs: one that cannot be read
# here, or that holds something secret, is dropped.
redact_machine_configs() {
  jq '
    def plain: sub("^data:[^,]*;base64,"; "") | @base64d;
    def secret: if startswith("data:") | not then false
      elif test("^data:[^,]*;base64,") then (try plain catch "") | . == "" or test("PRIVATE|\"auths\"|-key-data|token|[^[:ascii:]]")
      else test("PRIVATE|auths|-key-data|token") end;
    walk(if type == "object" and (.source | type) == "string" and (.source | secret)
      then .source = "data:,[redacted]" | del(.compression) else . end)'
}

# remove_secret_files FOLDER: files that are Secrets, keys or kubeconfigs, and those that no filter reads.
remove_secret_files() {
  find "${1}" -depth \( -iname '*secret*' -o -name '*kubeconfig*' -o -name '*.key' -o -name .kube -o -name .docker \
    -o -name '*.ign' -o -name '*.ign.new' -o -name '*.db' -o -name '*.gz' -o -type l \) -exec rm --recursive --force {} +
  { grep --recursive --files-with-matches --null --extended-regexp \
    '^[[:space:]-]*kind:[[:space:]]*"?Secret"?[[:space:]]*$|"kind":[[:space:]]*"Secret"' "${1}" || true; } |
    xargs --null --no-run-if-empty rm --force
}

# redact_files FOLDER: every file in place, but for what is compressed, which was redacted before.
redact_files() {
  local file
  find "${1}" -type f ! -name '*.gz' -print0 | while IFS= read -r -d '' file; do
    redact <"${file}" >"${file}.redacted"
    mv --force "${file}.redacted" "${file}"
  done
}
