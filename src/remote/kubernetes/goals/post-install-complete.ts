import { problem, type Problem } from '../../../core/problem.js';
import { printable } from '../../../core/printable.js';
import { redactSecrets } from '../../../core/secrets.js';
import { textAt } from '../../../kube/fields.js';
import type { ClusterReader } from '../reader.js';
import type { CheckResult, Goal } from '../wait.js';
import { installComplete } from './install-complete.js';

/**
 * The ConfigMap of the node, or of `apply`, reports all post-install manifests as applied. For a site without such manifests the cluster
 * must be installed instead, unless the ConfigMap exists.
 * Problems: cluster/post-install-failed, cluster/post-install-incomplete, those of `installComplete`.
 */
export function postInstallComplete({ hasManifests }: { readonly hasManifests: boolean }): Goal {
  return {
    outage: 'expected while it or the node restarts',
    look: (reader, present) => look(reader, { present, hasManifests }),
    overdue: (message, reader) =>
      hasManifests
        ? Promise.resolve([problem('cluster/post-install-incomplete', `timed out: ${message}`, { hint })])
        : installComplete.overdue(message, reader),
  };
}

const hint =
  'check the named operators and `journalctl --unit=sno-post-install` on the node, then run the command again or `sno-install apply`';

async function look(
  reader: ClusterReader,
  { present, hasManifests }: { readonly present: Date; readonly hasManifests: boolean },
): Promise<CheckResult> {
  const reading = await reader.postInstallConfigMap();
  if (reading.kind === 'fault') return reading;
  if (reading.kind === 'found') return progressOf(reading.object);
  if (!hasManifests) return installComplete.look(reader, present);
  return {
    kind: 'waiting',
    message: 'the API answers, but the node does not apply post-install manifests yet',
  };
}

/** Source of the fields: templates/post-install and apply/post-install-status.ts */
function progressOf(configMap: object): CheckResult {
  const [status, wave = '?', waves = '?'] = ['status', 'wave', 'waves'].map((name) => {
    const text = textAt(configMap, ['data', name]);
    return text && shownLine(text);
  });
  if (status === 'complete') return { kind: 'reached', facts: {}, warnings: [] };
  if (status === 'failed') return { kind: 'hopeless', problems: failures(configMap, wave) };
  const waiting = linesAt(configMap, 'waiting');
  const message = `wave ${wave} of the post-install manifests (${waves} complete)`;
  return {
    kind: 'waiting',
    message: waiting.length === 0 ? `applying ${message}` : `${message} waits for ${waiting.join('; ')}`,
  };
}

function failures(configMap: object, wave: string): readonly Problem[] {
  const fix = 'fix the manifest or the operator, then run `sno-install apply`';
  const lines = linesAt(configMap, 'failed');
  return (lines.length === 0 ? ['no details'] : lines).map((line) =>
    problem('cluster/post-install-failed', `wave ${wave} of the post-install manifests failed: ${line}`, {
      hint: fix,
    }),
  );
}

function linesAt(configMap: object, name: string): readonly string[] {
  const lines = (textAt(configMap, ['data', name]) ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.map(shownLine);
}

/** The ConfigMap comes from the cluster: the text is cut and safe for a terminal. */
function shownLine(text: string): string {
  const line = printable(redactSecrets(text.trim()));
  return line.length > shownLength ? `${line.slice(0, shownLength)}…` : line;
}

const shownLength = 500;
