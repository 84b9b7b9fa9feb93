import { graphFormats, renderGraph } from '../graph/render.js';
import { isTargetName, targets, type Target } from '../targets.js';
import { usageError } from './usage-error.js';

/** Prints the graph of a target (default: single-node-ignition-config). */
export async function printGraph(name: string | undefined, format: string): Promise<void> {
  const targetName = name ?? 'single-node-ignition-config';
  if (!isTargetName(targetName)) {
    usageError(`there is no target \`${targetName}\``, `targets are: ${Object.keys(targets).join(', ')}`);
    return;
  }
  const known = graphFormats.find((each) => each === format);
  if (known === undefined) throw new Error(`internal error: graph format ${format}`);
  const target: Target = targets[targetName];
  const { roots } = await target.load();
  process.stdout.write(renderGraph(targetName, roots, known));
}
