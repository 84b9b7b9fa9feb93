import { maskedArgument } from '../../core/quoted.js';
import type { WaitResult, ClusterFacts } from '../../remote/kubernetes/wait.js';
import { elapsedText } from '../../formats/elapsed.js';
import { isSealedName } from '../../disk/state/sealed-outputs.js';
import { shellWord } from '../../formats/shell-word.js';
import type { WaitCondition } from '../../remote/kubernetes/goals/wait-goal.js';

/** The awaited condition and the files of the cluster. */
export interface WaitSubject {
  readonly waited: WaitCondition;
  readonly dir: string;
  readonly kubeconfig: string;
  /** The file with the kubeadmin password, if present. */
  readonly passwordFile?: string;
  /** Whether the kubeconfig is that of the directory, which may be modified. */
  readonly isOwn: boolean;
}

/** The result of a successful wait. */
export interface ReachedResult {
  readonly waitedMs: number;
  /** Whether the CA of the router was added to the kubeconfig. */
  readonly isAuthorityAdded: boolean;
}

/** Formats the result and the next step. */
export function reachedText(
  subject: WaitSubject,
  facts: ClusterFacts,
  { waitedMs, isAuthorityAdded }: ReachedResult,
): string {
  const lines = [
    `${headline(subject.waited, facts)} (after ${elapsedText(waitedMs)})`,
    ...(isAuthorityAdded ? [`Added the CA of the router to ${subject.kubeconfig}.`] : []),
    ...rest(subject, facts),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the members of the JSON result except `ok` and `problems`. Never contains a password. */
export function resultJson(
  { waited, kubeconfig, passwordFile }: WaitSubject,
  outcome: WaitResult,
): Readonly<Record<string, unknown>> {
  const isInstalled = outcome.kind === 'reached' && waited === 'install-complete';
  return {
    condition: waited,
    state: outcome.kind === 'failed' ? 'not-reached' : outcome.kind,
    seconds: Math.floor(outcome.waitedMs / 1000),
    kubeconfig: outcome.kind === 'reached' ? kubeconfig : maskedArgument(kubeconfig),
    ...(outcome.kind === 'reached' && shownFacts(outcome.facts)),
    ...(isInstalled && passwordFile !== undefined && { kubeadminPasswordFile: passwordFile }),
  };
}

function shownFacts({ version, consoleUrl, nodes }: ClusterFacts): Readonly<Record<string, unknown>> {
  return {
    ...(version !== undefined && { version }),
    ...(consoleUrl !== undefined && { consoleUrl }),
    ...(nodes !== undefined && { nodes }),
  };
}

function headline(waited: WaitCondition, { version, nodes = [] }: ClusterFacts): string {
  switch (waited) {
    case 'bootstrap-complete':
      return 'bootstrap complete: the node has rebooted from its disk and runs its own control plane';
    case 'install-complete':
      return `install complete: the cluster runs ${version ?? 'an unknown release'}`;
    case 'post-install-complete':
      return version === undefined
        ? 'post-install complete: the manifests in post-install/ are applied'
        : `post-install complete: there are no such manifests, and the cluster runs ${version}`;
    case 'node-ready':
      return `ready: ${nodes.join(', ')}`;
  }
}

function rest(
  { waited, dir, kubeconfig, passwordFile }: WaitSubject,
  { consoleUrl }: ClusterFacts,
): readonly string[] {
  const access = isSealedName(kubeconfig)
    ? `${opening(kubeconfig)} > KUBECONFIG; export KUBECONFIG=KUBECONFIG`
    : `export KUBECONFIG=${shellWord(kubeconfig)}`;
  switch (waited) {
    case 'bootstrap-complete':
      return ['', `Next: \`sno-install wait-for install-complete --dir ${shellWord(dir)}\`.`];
    case 'post-install-complete':
      return [
        '',
        `Next: \`sno-install apply --diff --dir ${shellWord(dir)}\` shows later changes of the cluster.`,
      ];
    case 'install-complete':
      return [
        ...(consoleUrl === undefined ? [] : [`Console:   ${consoleUrl}`]),
        ...(passwordFile === undefined
          ? []
          : [`Log in as: kubeadmin, with the password ${inFile(passwordFile)}`]),
        '',
        `Next: \`${access}; oc get clusteroperators\`.`,
      ];
    case 'node-ready':
      return ['', `Next: \`${access}; kubectl get pods --all-namespaces\`.`];
  }
}

function inFile(passwordFile: string): string {
  return isSealedName(passwordFile) ? `that \`${opening(passwordFile)}\` prints` : `in ${passwordFile}`;
}

/** Returns the age command that decrypts an output. */
function opening(file: string): string {
  return `age -d -i IDENTITY ${shellWord(file)}`;
}
