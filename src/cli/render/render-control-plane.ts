import { join } from 'node:path';

import type { RunReport } from '../../run/run.js';
import { targetList, type TargetName } from '../../run/targets.js';
import type { GlobalOptions, RecipientOptions, RenderOptions } from '../options.js';
import { reportRun } from '../report-run.js';
import { runRequest } from '../request.js';

/** Writes the rendered control plane as a readable tree and prints its structure. */
export async function renderControlPlane(
  machine: RenderOptions['for'],
  options: GlobalOptions & RecipientOptions,
): Promise<void> {
  await reportRun(
    options,
    (progress) => runRequest(treeOf(machine), options, progress),
    (made) => ({
      text: summary(options.dir, made),
      json: { outputs: made.outputs.map(({ path, change }) => ({ path, change })) },
    }),
  );
}

function treeOf(machine: string): TargetName {
  const tree = targetList.find(({ offer }) => offer.makes === 'tree' && offer.machine === machine);
  if (tree === undefined) throw new Error(`internal error: no control plane target for ${machine}`);
  return tree.name;
}

function summary(dir: string, { outputs }: RunReport): string {
  const count = (folder: string): number =>
    outputs.filter(({ path, change }) => change !== 'removed' && path.startsWith(`control-plane/${folder}`))
      .length;
  const changed = outputs.filter(({ change }) => change !== 'unchanged').length;
  const line = (folder: string, what: string): string => `${join(dir, 'control-plane', folder)}: ${what}`;
  return [
    line('etc/kubernetes/manifests', `${count('etc/kubernetes/manifests/')} static pods`),
    line('etc/kubernetes', `${count('etc/')} files in total, in the layout of an installer pod`),
    line('objects', `${count('objects/')} objects created by the control loops`),
    ...(count('not-applied/') === 0
      ? []
      : [line('not-applied', `${count('not-applied/')} objects that the operators create themselves`)]),
    ...(count('node-certificates.json') === 0
      ? []
      : [line('node-certificates.json', "certificates with the node's name, which the node issues")]),
    line('loops.json', 'inputs and outputs of each loop'),
    changed === 0 ? 'No changes.' : `${changed} files were written or removed.`,
    '',
  ].join('\n');
}
