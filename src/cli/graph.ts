import { graphData, renderGraph } from '../graph/render-graph.js';
import { targetAssets } from '../run/target-assets.js';
import { defaultTarget, isTargetName, targets } from '../run/targets.js';
import type { GlobalOptions } from './options.js';
import { report } from './output/report.js';
import { maskedArgument } from '../core/quoted.js';
import { usageError } from './usage-error.js';
import { isData } from './output/data.js';

/** Prints the asset graph of a target, by default in the language of Graphviz. */
export function printGraph(name: string | undefined, options: GlobalOptions): void {
  const targetName = name ?? defaultTarget;
  if (!isTargetName(targetName)) {
    const hint = `supported targets: ${Object.keys(targets).join(', ')}`;
    usageError(options, `unknown target \`${maskedArgument(targetName)}\``, hint);
    return;
  }
  const { roots } = targetAssets[targetName];
  if (isData(options)) report(options, { problems: [], json: { graph: graphData(targetName, roots) } });
  else process.stdout.write(renderGraph(targetName, roots, options.output === 'mermaid' ? 'mermaid' : 'dot'));
}
