import { writeYamlInOrder } from '../../formats/yaml/write-yaml.js';
import type { GlobalOptions } from '../options.js';

type FormatOption = Pick<GlobalOptions, 'output'>;

/** True for `--output json` and `yaml`, which print the result and its problems as one object. */
export function isData({ output }: FormatOption): boolean {
  return output === 'json' || output === 'yaml';
}

/** Prints an object to stdout as JSON or YAML. */
export function printData({ output }: FormatOption, data: object): void {
  const json = JSON.stringify(data, null, 2);
  process.stdout.write(output === 'yaml' ? writeYamlInOrder(JSON.parse(json)) : `${json}\n`);
}
