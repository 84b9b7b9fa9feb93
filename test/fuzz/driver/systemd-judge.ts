import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { decodeDataUrl } from '../../../src/formats/data-url.js';
import type { IgnitionConfig } from '../../../src/ignition/types.js';
import { addSystemUnits, complaintsOfSystemd } from '../../support/systemd-analyze.js';

const unitFolder = '/etc/systemd/system';

/** Complaints of systemd about the units of each Ignition config; undefined for none. */
export function systemdRefusals(configs: readonly string[]): readonly (string | undefined)[] {
  const root = mkdtempSync(join(tmpdir(), 'sno-fuzz-units-'));
  try {
    addSystemUnits(root);
    return configs.map((text) => refusalOf(root, JSON.parse(text) as IgnitionConfig));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function refusalOf(root: string, config: IgnitionConfig): string | undefined {
  const files = unitFiles(config);
  rmSync(join(root, unitFolder), { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const names = [...files.keys()]
    .filter((path) => dirname(path) === unitFolder)
    .map((path) => basename(path));
  // systemd fails when it gets no unit name.
  const complaints = names.length === 0 ? [] : complaintsOfSystemd(root, names);
  const refusal = complaints.filter((line) => !isOfProgram(line)).join('\n');
  return refusal === '' ? undefined : refusal;
}

/** Complaints about missing programs are ignored: they come with the operating system or are checked elsewhere. */
function isOfProgram(line: string): boolean {
  return line.endsWith('is not executable: No such file or directory');
}

/** Unit files by path. A service of the operating system with drop-ins only gets a no-op unit. */
function unitFiles({ systemd, storage }: IgnitionConfig): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { name, contents, dropins = [] } of systemd?.units ?? []) {
    if (contents !== undefined || dropins.length > 0)
      texts.set(join(unitFolder, name), contents ?? '[Service]\nExecStart=/bin/true\n');
    for (const { name: part, contents: more = '' } of dropins)
      texts.set(join(unitFolder, `${name}.d`, part), more);
  }
  for (const { path, contents } of storage?.files ?? []) {
    const text = contents && decodeDataUrl(contents.source);
    if (path.startsWith(`${unitFolder}/`) && text !== undefined) texts.set(path, text.toString('utf8'));
  }
  return texts;
}
