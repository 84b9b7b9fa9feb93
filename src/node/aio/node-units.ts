import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import { template } from '../../formats/template.js';
import type { Templates } from '../../graph/context.js';
import type { IgnitionUnit } from '../../ignition/types.js';
import { aioUnits } from './aio-catalog.js';
import { runtimes } from './aio-paths.js';
import { kubeletArguments } from './kubelet.js';
import type { NodeFacts } from './node-facts.js';

/** Our units, and the container runtime's unit, which the operating system ships. */
export function nodeUnits(sno: SnoConfig, facts: NodeFacts, templates: Templates): readonly IgnitionUnit[] {
  const runtimeUnit = runtimes[sno.aio.operatingSystem].unit;
  const holes = { command: commandLine(['kubelet', ...kubeletArguments(sno, facts)]), runtimeUnit };
  const ours = aioUnits.map(({ name, enabled, isTemplate }) => {
    const text = templates.text(`aio/etc/systemd/system/${name}${isTemplate === true ? '.tmpl' : ''}`);
    const contents = isTemplate === true ? template(text, ['command', 'runtimeUnit']).fill(holes) : text;
    return { name, ...(enabled && { enabled }), contents };
  });
  return [...ours, { name: runtimeUnit, enabled: true }];
}

/** A command in systemd syntax, one argument per line. Source: systemd.service(5), COMMAND LINES */
function commandLine(words: readonly string[]): string {
  const quoted = words.map((word) => {
    const escaped = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
    const isPlain = /^[A-Za-z0-9_./:=@%$,+-]+$/.test(word);
    return isPlain ? escaped : `"${escaped.replace(/["\\]/g, String.raw`\$&`)}"`;
  });
  return quoted.join(' \\\n  ');
}
