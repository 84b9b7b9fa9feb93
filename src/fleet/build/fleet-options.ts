import { join } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import type { Stdin } from '../../disk/external-files/standard-input.js';
import { recipientFault } from '../../formats/age.js';
import type { Inputs } from '../../graph/context.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { nodeAt } from '../../formats/yaml/yaml-tree.js';
import type { Fleet } from '../table/fleet-file.js';
import { withFleetVariables, type LoadedFleet } from '../table/check-fleet.js';
import { siteClasses } from '../table/site-classes.js';
import { siteFiles } from '../table/site-files.js';
import { knownNames } from '../table/site-problems.js';
import type { Traced } from '../../formats/yaml/traced.js';
import type { SiteOptions } from './site-options.js';

/** The settings of fleet.yaml that apply when sites are created. */
export function fleetOptions({
  fleet,
  table,
}: LoadedFleet): Pick<
  SiteOptions,
  | 'target'
  | 'base'
  | 'overrides'
  | 'classes'
  | 'raw'
  | 'outputs'
  | 'recipients'
  | 'encryptOutputs'
  | 'known'
  | 'secretMarks'
> {
  const { target, base, overrides, classes, raw, outputs, recipients, encryptOutputs, secretMarks } = fleet;
  return {
    target,
    base,
    overrides,
    classes,
    raw,
    outputs,
    recipients: recipients.map(({ text }) => text),
    ...(encryptOutputs !== undefined && { encryptOutputs }),
    known: knownNames(fleet, table),
    secretMarks,
  };
}

/** Checks the recipients in fleet.yaml. Problems: state/recipient, each at its line. */
export async function recipientFaults({ recipients }: Fleet): Promise<readonly Problem[]> {
  const reasons = await Promise.all(recipients.map(({ text }) => recipientFault(text)));
  return recipients.flatMap(({ at }, index) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [problem('state/recipient', `recipients[${index}] ${reason}`, { at })];
  });
}

/** Fields of sno-config.yaml that accept `-` for standard input. */
const references = ['pullSecretFile', 'sshKeyFile'];

/** Reads standard input if a config of the fleet refers to it. Worker threads cannot read it themselves. */
export function neededStdin(opened: LoadedFleet, stdin: Stdin): Pick<SiteOptions, 'stdin'> {
  const reader = references.find((field) => isStdinUsed(opened, field));
  return reader === undefined ? {} : { stdin: { reader, read: stdin(reader) } };
}

const snoConfig = 'sno-config.yaml';

/** Whether a site has `-` in a field after its variables, classes and override are applied. A value that sites share is checked once. */
function isStdinUsed({ fleet, rows, files }: LoadedFleet, field: string): boolean {
  const { baseInputs, classInputs, overrideInputs } = files;
  const isSet = (text: string): boolean => text.includes(field);
  const base = textOf(baseInputs, snoConfig);
  const seen = new Set<string>();
  const varying = new Map<string, boolean>();
  const varies = (text: string): boolean => {
    const known = varying.get(text) ?? hasVariable(text, field);
    varying.set(text, known);
    return known;
  };
  return rows.some((given) => {
    const row = withFleetVariables(given, fleet);
    if (!isSet(textOf(overrideInputs, join(row.name, snoConfig)))) {
      const classes = siteClasses(files, row.variables).names;
      const texts = [base, ...classes.map((name) => textOf(classInputs, join(name, snoConfig)))].filter(
        isSet,
      );
      const key = classes.join('/');
      if (texts.length === 0 || (seen.has(key) && !texts.some(varies))) return false;
      seen.add(key);
    }
    const [config] = siteFiles(files, row).documentsOf(snoConfig);
    return config?.kind === 'map' && config.entries.some(({ key, value }) => key === field && isStdin(value));
  });
}

function hasVariable(text: string, field: string): boolean {
  const [root] = readYaml(text).documents;
  const value = root && nodeAt(root, [field]);
  return value?.kind === 'scalar' && value.text.includes('${');
}

/** The scalar `-`, quoted or not. */
function isStdin(value: Traced): boolean {
  return value.kind === 'scalar' && ['"-"', '-'].includes(value.yaml);
}

function textOf(inputs: Inputs, path: string): string {
  const read = inputs.read(path);
  return read.kind === 'file' ? (decodeUtf8(read.bytes) ?? '') : '';
}
