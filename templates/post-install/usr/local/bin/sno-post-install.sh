#!/usr/bin/env bash
# Applies the site's post-install manifests, wave by wave, after the cluster is complete. A wave waits until the API serves its kinds,
# which an operator may add minutes later. At the end the script removes its files, including itself.
#
# When:   sno-post-install.service on the installed node, at every boot until it has succeeded; by hand after a failure:
#         systemctl restart sno-post-install.service
# Writes: the objects of /opt/sno-post-install/objects and the ConfigMap kube-system/sno-post-install, by server-side apply; below
#         /opt/sno-post-install the service record and `done`, the list of the applied objects; a notice above the console's login prompt.
# Stops:  1 when an object failed: the later waves are not applied. 75 after a timeout: systemd starts it again. In both cases the files
#         stay, and the next run continues with the objects that are not in `done`. Every wait is bounded.
set -Eeuo pipefail

installation="${SNO_ROOT:-}/opt/openshift"
export SNO_HOME="${SNO_ROOT:-}/opt/sno-post-install"
SNO_ENV_FILE="${SNO_HOME}/settings.env"
SERVICE_RECORDS_DIR="${SNO_HOME}/records"
# shellcheck source-path=SCRIPTDIR/../../../../live/usr/local/bin source=sno-common.sh
source "${SNO_HOME}/bin/sno-common.sh"

# Seconds. A wave waits for kinds and operators, an object for an API that refuses it.
cluster_limit="${SNO_POST_INSTALL_CLUSTER_LIMIT:-14400}"
wave_limit="${SNO_POST_INSTALL_TIMEOUT:-3600}"
refusal_limit="${SNO_POST_INSTALL_REFUSAL_LIMIT:-600}"
pass_interval="${SNO_POST_INSTALL_INTERVAL:-10}"
report_interval="${SNO_POST_INSTALL_REPORT_INTERVAL:-60}"

# Exit code for which the unit is started again.
retry=75

issue=72_sno-post-install
list="${SNO_HOME}/objects.tsv"
done_list="${SNO_HOME}/done"
scratch="${RUNTIME_DIRECTORY:-${SNO_ROOT}/run/sno-post-install}"
errors="${scratch}/errors"
manager=sno-install

# The objects in order, one array per column of the list.
waves=() files=() versions=() kinds=() namespaces=() names=() sources=() subscriptions=()
wave_order=()
declare -A is_applied=()
# The run.
wave=
waves_done=0
pending=() failed=()
declare -A reasons=() refused_at=()
waiting=
reported_at=
status_in_cluster=
# API answers cached for one pass. By group/version: its kinds, or the error; by CRD: `ready`, or the missing condition.
declare -A resources=() discovery_errors=() crd_states=()
operators=''
operators_error=''
operator_state=''
answer=''

main() {
  # Source: cluster-kube-apiserver-operator, NodeKubeconfigController
  export KUBECONFIG="${SNO_ETC}/kubernetes/static-pod-resources/kube-apiserver-certs/secrets/node-kubeconfigs/localhost.kubeconfig"
  umask 077
  mkdir --parents "${scratch}"
  # systemd sets no HOME for a service; without a cache every call of oc queries all kinds of the cluster.
  export KUBECACHEDIR="${scratch}/cache"
  read_list
  record_begin
  run_always wait-for-cluster wait_for_cluster
  run_always read-status wait_for_status
  if [[ "${status_in_cluster}" != complete ]]; then run_always apply-objects apply_waves; fi
  clean_up
}

clean_up() {
  clear_issue "${issue}"
  log 'the post-install manifests are applied; their files are removed now'
  trap - EXIT ERR
  exec "${SNO_BIN_DIR}/sno-node-cleanup.sh" later
}

# read_list: objects.tsv and the names of the objects that an earlier run applied.
read_list() {
  local row file
  {
    read -r
    while IFS=$'\t' read -r -a row; do
      waves+=("${row[0]}") files+=("${row[1]}") versions+=("${row[2]}") kinds+=("${row[3]}")
      namespaces+=("${row[4]}") names+=("${row[5]}") sources+=("${row[6]}") subscriptions+=("${row[7]}")
      if [[ " ${wave_order[*]} " != *" ${row[0]} "* ]]; then wave_order+=("${row[0]}"); fi
    done
  } <"${list}"
  if [[ ! -e "${done_list}" ]]; then return 0; fi
  while read -r file; do is_applied["${file}"]=yes; done <"${done_list}"
}

# await WHAT LIMIT_SECONDS INTERVAL_SECONDS ADVICE COMMAND [ARG…]: a bounded wait. After the limit the console shows WHAT and ADVICE. Then systemd
# starts the service again.
await() {
  if wait_until "${1}" "${2}" "${3}" "${@:5}"; then return 0; fi
  announce_issue "${issue}" "The post-install manifests are still waiting for ${1}, for more than ${2} s. ${4}"
  return "${retry}"
}

# ask [ARG…]: oc with limits for each request and for the whole call. Its errors are left in a file.
ask() { timeout --kill-after=10s 2m oc --request-timeout=30s "${@}" 2>"${errors}"; }

# ask_raw PATH: sets `answer` to the API's JSON, or returns 1 and sets it to the reason.
ask_raw() {
  if answer="$(ask get --raw="${1}")"; then return 0; fi
  answer="$(reason_of_errors)"
  return 1
}

# reason_of_errors: the error of the last call in one line, without the advice that follows a conflict. Source: kubectl, apply.go
reason_of_errors() {
  local text
  text="$(sed --expression='/^Please review the fields above/,$d' --expression='/^Warning: /d' "${errors}" | tr '\n\t' '  ' | tr --delete '[:cntrl:]')"
  text="${text%"${text##*[! ]}"}"
  if ((${#text} > 500)); then text="${text:0:500}…"; fi
  printf '%s\n' "${text:-the API server does not answer}"
}

# Source: apimachinery, StatusReasonNotFound; kubectl prints the reason in parentheses.
is_not_found() { [[ "${answer}" == *'(NotFound)'* ]]; }

# The clean-up of the installation removes that folder last.
wait_for_cluster() {
  if [[ ! -e "${installation}" ]]; then return 0; fi
  announce_issue "${issue}" 'The post-install manifests are applied after the installation is complete.'
  await 'the installation to be complete' "${cluster_limit}" "${pass_interval}" \
    'See journalctl -u bootkube.' installation_is_complete
  clear_issue "${issue}"
}

installation_is_complete() { [[ ! -e "${installation}" ]]; }

wait_for_status() {
  await 'the API server on localhost' 3600 "${pass_interval}" \
    'See crictl ps -a and journalctl -u kubelet.' read_status
}

# read_status: the status comes from an earlier run or from `sno-install apply`.
read_status() {
  status_in_cluster=
  if ask_raw /api/v1/namespaces/kube-system/configmaps/sno-post-install; then
    status_in_cluster="$(jq --raw-output '.data.status // ""' <<<"${answer}")"
  else
    is_not_found
  fi
}

apply_waves() {
  for wave in "${wave_order[@]}"; do
    apply_wave
    waves_done=$((waves_done + 1))
  done
  waiting=
  await 'the ConfigMap kube-system/sno-post-install' 600 "${pass_interval}" \
    'See journalctl -u sno-post-install.' publish complete
}

# apply_wave: passes over the wave's objects until each is applied or has failed. One that failed ends the run.
apply_wave() {
  local begun now index
  pending=() failed=() reasons=() refused_at=()
  for index in "${!waves[@]}"; do
    if [[ "${waves[index]}" == "${wave}" && -z "${is_applied[${files[index]}]:-}" ]]; then pending+=("${index}"); fi
  done
  log "wave ${wave}: ${#pending[@]} objects to apply"
  begun="$(uptime_seconds)"
  publish_or_log running
  while ((${#pending[@]} > 0)); do
    now="$(uptime_seconds)"
    apply_pass "${now}" "$((now - begun >= wave_limit))"
    if ((${#pending[@]} == 0)); then break; fi
    report_waiting
    sleep "${pass_interval}"
  done
  if ((${#failed[@]} > 0)); then stop_at_failure; fi
}

# apply_pass NOW IS_OVER: tries each pending object once. When the wave's time is over, objects without a served kind fail.
apply_pass() {
  local index reason still=()
  resources=() discovery_errors=() crd_states=() operators='' operators_error=''
  for index in "${pending[@]}"; do
    reason=
    if ! is_ready "${index}"; then
      if ((${2})); then fail_object "${index}" 'gave up'; else still+=("${index}"); fi
    elif apply_object "${index}"; then
      log "applied ${sources[index]}: $(label "${index}")"
      printf '%s\n' "${files[index]}" >>"${done_list}"
    elif [[ "${reason}" == *'Apply failed with '*conflict* || "${reason}" == *' answered Conflict with '* ]]; then
      # Waiting does not end a conflict with another field manager.
      fail_object "${index}" 'conflict'
    else
      refused_at["${index}"]="${refused_at[${index}]:-${1}}"
      if ((${1} - ${refused_at[${index}]} >= refusal_limit)); then fail_object "${index}" refused; else still+=("${index}"); fi
    fi
    if [[ "${reasons[${index}]:-}" != "${reason}" && -n "${reason}" ]]; then
      log "not applied yet: ${sources[index]}: $(label "${index}"): ${reason}"
    fi
    reasons["${index}"]="${reason}"
  done
  pending=("${still[@]}")
}

# label INDEX: kind, namespace and name.
label() {
  local place=''
  if [[ "${namespaces[${1}]}" != - ]]; then place="${namespaces[${1}]}/"; fi
  printf '%s\n' "${kinds[${1}]} ${place}${names[${1}]}"
}

# fail_object INDEX HOW: `reason` is the last answer of the API.
fail_object() {
  failed+=("${sources[${1}]}: $(label "${1}"): ${reason}")
  log "${2}: ${failed[-1]}"
  reasons["${1}"]="${reason}"
}

# is_ready INDEX: whether the API serves the kind, its CRD is Established and the operator that brings it is installed; otherwise sets
# `reason`.
is_ready() {
  local version="${versions[${1}]}" kind="${kinds[${1}]}" each resource plural=''
  discover "${version}"
  reason="${discovery_errors[${version}]:-}"
  if [[ -n "${reason}" ]]; then
    # The API server restarts, or an aggregated one does: a refusal before that does not count.
    unset "refused_at[${1}]"
    return 1
  fi
  while read -r each resource; do
    if [[ "${each}" == "${kind}" ]]; then plural="${resource}"; fi
  done <<<"${resources[${version}]}"
  if [[ -z "${plural}" ]]; then
    reason="kind ${kind} of ${version} is not served"
    judge_operator - "${subscriptions[${1}]}"
    if [[ -n "${operator_state}" ]]; then reason+=" (${operator_state})"; fi
    return 1
  fi
  # The core group has no CRDs.
  if [[ "${version}" != */* ]]; then return 0; fi
  judge_crd "${plural}.${version%/*}" "${subscriptions[${1}]}"
  if [[ "${crd_states[${plural}.${version%/*}]}" == ready ]]; then return 0; fi
  reason="${crd_states[${plural}.${version%/*}]}"
  return 1
}

# discover GROUP/VERSION: its kinds and their resources, a pair per line. A version that the API does not know serves none.
discover() {
  local path="/apis/${1}"
  if [[ -n "${resources[${1}]:-}${discovery_errors[${1}]:-}" ]]; then return 0; fi
  if [[ "${1}" != */* ]]; then path="/api/${1}"; fi
  if ask_raw "${path}"; then
    resources["${1}"]="$(jq --raw-output '"- -", (.resources[]? | select(.name | contains("/") | not) | "\(.kind) \(.name)")' <<<"${answer}")"
  elif is_not_found; then
    resources["${1}"]='- -'
  else
    discovery_errors["${1}"]="${answer}"
  fi
}

# judge_crd NAME SUBSCRIPTIONS: an aggregated API has no CRD for its kinds. Source of the condition: apiextensions-apiserver,
# CustomResourceDefinitionConditionType
judge_crd() {
  local state=ready
  if [[ -n "${crd_states[${1}]:-}" ]]; then return 0; fi
  if ask_raw "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${1}"; then
    if jq --exit-status 'any(.status.conditions[]?; .type == "Established" and .status == "True")' <<<"${answer}" >/dev/null; then
      judge_operator "${1}" "${2}"
      state="${operator_state:-ready}"
    else
      state="the CRD ${1} is not Established"
    fi
  elif ! is_not_found; then
    state="${answer}"
  fi
  crd_states["${1}"]="${state}"
}

# judge_operator CRD SUBSCRIPTIONS: sets `operator_state` to the reason if the operator is not installed. OLM creates CRDs before the
# ClusterServiceVersion that owns them, so a CRD without an owner waits for those of its Subscriptions, `NAMESPACE/NAME[,…]`. Either may
# be -.
judge_operator() {
  operator_state=
  if [[ "${1}" == - && "${2}" == - ]]; then return 0; fi
  read_operators
  operator_state="${operators_error}"
  if [[ -n "${operator_state}" ]]; then return 0; fi
  operator_state="$(jq --raw-output --arg crd "${1}" --arg names "${2}" '
    def unfinished($of): select(.phase != "Succeeded")
      | "ClusterServiceVersion \(.name)\($of) is in phase \(.phase)\(.because), not Succeeded";
    def unfinished_subscription($name; $csvs): if . == null then "Subscription \($name) does not exist"
      else .because as $because | .csv as $csv
        | first($csvs[] | select(.full_name == $csv)) // null
        | if . == null then "Subscription \($name) has no ClusterServiceVersion\($because)"
          else unfinished(" of Subscription \($name)") end
      end;
    .csvs as $csvs | .subscriptions as $subscriptions | [$csvs[] | select(.owned | index($crd))] as $owners
    | [if ($owners | length) > 0 then $owners[] | unfinished("")
       else $names | split(",")[] | select(. != "-") as $name
         | (first($subscriptions[] | select(.full_name == $name)) // null) | unfinished_subscription($name; $csvs) end]
    | first // ""' <<<"${operators}")"
}

# read_operators: sets `operators` to the ClusterServiceVersions and Subscriptions of OLM, or `operators_error`. Copies of a
# ClusterServiceVersion in other namespaces have a label. Conditions of a Subscription are true if something is wrong; deprecations do not
# stop it. Sources: operator-framework/api, operators/v1alpha1 (CopiedLabelKey, CustomResourceDefinitions.Owned, CSVPhaseSucceeded,
# SubscriptionStatus); operator-lifecycle-manager, controller/operators/catalog
read_operators() {
  local csvs
  if [[ -n "${operators}${operators_error}" ]]; then return 0; fi
  if ! ask_operators 'clusterserviceversions?labelSelector=%21olm.copiedFrom'; then return 0; fi
  csvs="${answer}"
  if ! ask_operators subscriptions; then return 0; fi
  operators="$(jq --compact-output --slurp '
    def line: gsub("[[:cntrl:]]+"; " ") | .[:300];
    def text: [.reason, .message] | map(select(. != null and . != "")) | join(": ") | line;
    def in_parentheses: if . == "" then "" else " (\(.))" end;
    def full_name: "\(.metadata.namespace)/\(.metadata.name)";
    def obstacle($plan): if .reason == "RequiresApproval" then "InstallPlan \($plan) waits for approval" else "\(.type): \(text)" end;
    { csvs: [.[0].items[]? | { full_name: full_name, name: .metadata.name, because: (.status // {} | text | in_parentheses),
        phase: (if (.status.phase // "") == "" then "None" else .status.phase end),
        owned: [.spec.customresourcedefinitions.owned[]?.name] }],
      subscriptions: [.[1].items[]? | { full_name: full_name, csv: "\(.metadata.namespace)/\(.status.installedCSV)",
        because: (.status.installPlanRef.name as $plan
          | [.status.conditions[]? | select(.status == "True" and (.type | endswith("Deprecated") | not)) | obstacle($plan)]
          | join("; ") | in_parentheses) }] }' <<<"${csvs}${answer}")"
}

# ask_operators PATH: sets `answer` to a list of OLM, which is empty on a cluster without OLM, or returns 1 and sets `operators_error`.
ask_operators() {
  if ask_raw "/apis/operators.coreos.com/v1alpha1/${1}"; then return 0; fi
  if is_not_found; then
    answer='{}'
    return 0
  fi
  operators_error="${answer}"
  return 1
}

# apply_object INDEX: sets `reason` if the API refuses the object. The answer for a Secret may contain its data, so only its reason is kept.
apply_object() {
  if ask apply --server-side --field-manager="${manager}" --filename="${SNO_HOME}/objects/${files[${1}]}" >/dev/null; then return 0; fi
  reason="$(reason_of_errors)"
  if [[ "${kinds[${1}]}" == Secret ]]; then reason="$(word_of "${reason}")"; fi
  return 1
}

# word_of REASON: the name of the reason alone. Source: kubectl, util/helpers.go (StandardErrorMessage, checkErr)
word_of() {
  case "${1}" in
    *'Apply failed with '*conflict*) echo "the API server answered Conflict with field manager $(managers_of "${1}")" ;;
    *' is invalid: '*) echo 'the API server answered Invalid' ;;
    'Error from server ('*) echo "the API server answered $(sed --regexp-extended 's/^Error from server \(([A-Za-z]+)\).*/\1/' <<<"${1}")" ;;
    *) echo 'the API server refused it' ;;
  esac
}

# managers_of REASON: the field managers of a conflict. Source: apimachinery, managedfields/internal/conflict.go
managers_of() {
  grep --only-matching --extended-regexp 'conflicts? with "[A-Za-z0-9._/-]{1,128}"' <<<"${1}" | sed 's/^[^"]*//' |
    LC_ALL=C sort --unique | paste --serial --delimiters=' ' || true
}

# report_waiting: shows the pending objects of the wave on the console and in the ConfigMap, at most once per interval.
report_waiting() {
  local index lines='' now
  now="$(uptime_seconds)"
  if [[ -n "${reported_at}" ]] && ((now - reported_at < report_interval)); then return 0; fi
  reported_at="${now}"
  stop_if_complete
  for index in "${pending[@]:0:20}"; do lines+="$(label "${index}"): ${reasons[${index}]}"$'\n'; done
  if [[ "${lines}" == "${waiting}" ]]; then return 0; fi
  waiting="${lines}"
  announce_issue "${issue}" "Post-install manifests: wave ${wave} waits for ${#pending[@]} of its objects, first: ${lines%%$'\n'*}"
  publish_or_log running
}

# stop_if_complete: a workstation may have applied all waves meanwhile.
stop_if_complete() {
  if read_status && [[ "${status_in_cluster}" == complete ]]; then clean_up; fi
}

# stop_at_failure: returns 1.
stop_at_failure() {
  local more=''
  if ((${#failed[@]} > 1)); then more=" and $((${#failed[@]} - 1)) more"; fi
  waiting=
  stop_if_complete
  publish_or_log failed
  announce_issue "${issue}" "Post-install manifests of wave ${wave} failed: ${failed[0]}${more}. Correct them and run sno-install apply, or systemctl restart sno-post-install.service."
  fail "wave ${wave}: ${#failed[@]} objects failed; later waves are not applied"
}

# publish_or_log STATUS: a failure to write the ConfigMap does not stop the run.
publish_or_log() {
  publish "${1}" || log "the ConfigMap kube-system/sno-post-install cannot be written: $(reason_of_errors)"
}

# publish STATUS: writes the ConfigMap that `wait-for post-install-complete` reads.
publish() {
  jq --null-input --arg status "${1}" --arg wave "${wave}" --arg waves "${waves_done}/${#wave_order[@]}" \
    --arg waiting "${waiting%$'\n'}" --arg failed "$(printf '%s\n' "${failed[@]}")" \
    --arg updated "$(date --utc +%Y-%m-%dT%H:%M:%SZ)" '
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "sno-post-install", namespace: "kube-system" },
      data: { $status, $wave, $waves, $waiting, $failed, $updated } }' |
    ask apply --server-side --force-conflicts --field-manager="${manager}" --filename=- >/dev/null
}

main
