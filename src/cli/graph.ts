import { graphData, graphFormats, renderGraph } from '../graph/render-graph.js';
import { targetAssets } from '../run/target-assets.js';
import { defaultTarget, isTargetName, targets } from '../run/targets.js';
import type { GlobalOptions } from './options.js';
import { report } from './output/report.js';
import { maskedArgument } from '../core/quoted.js';
import { usageError } from './usage-error.js';

/** Prints the asset graph of a target, or returns it within the JSON result. */
export function printGraph(name: string | undefined, format: string, options: GlobalOptions): void {
  const targetName = name ?? defaultTarget;
  if (!isTargetName(targetName)) {
    const hint = `supported targets: ${Object.keys(targets).join(', ')}`;
    usageError(options, `unknown target \`${maskedArgument(targetName)}\``, hint);
    return;
  }
  const known = graphFormats.find((each) => each === format);
  if (known === undefined) throw new Error(`internal error: graph format ${format}`);
  const { roots } = targetAssets[targetName];
  if (options.output === 'text') process.stdout.write(renderGraph(targetName, roots, known));
  else report(options, { problems: [], json: { graph: graphData(targetName, roots) } });
}
