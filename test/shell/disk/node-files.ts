import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { filesBelow } from '../support/machine-traces.js';
import type { Machine } from './machine.js';

/** A row of node-files.list: a file that the installation writes to the node's disk, and whether it is kept. */
export interface NodeFileRow {
  readonly fate: string;
  /** Octal, or `unit`, `preset`, `-`. */
  readonly mode: string;
  readonly source: string;
  readonly path: string;
}

/** The list on the node. */
export const nodeFileRows = rowsOf('templates/live/opt/openshift/bootstrap-in-place/node-files.list');

/** Additional rows for nodes with reporting. */
export const reportFileRows = rowsOf('templates/report/node-files.list');

/** Additional rows for nodes with post-install manifests. */
export const postInstallFileRows = rowsOf('templates/post-install/node-files.list');

function rowsOf(list: string): readonly NodeFileRow[] {
  return readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [fate = '', mode = '', source = '', path = ''] = line.split(/\s+/);
      return { fate, mode, source, path };
    });
}

/** The files that the list copies from this machine, each with its source path. */
export function carriedFiles(machine: Machine): readonly { path: string; mode: string; source: string }[] {
  return nodeFileRows
    .filter(({ mode }) => /^0\d+$/.test(mode))
    .flatMap(({ mode, source, path }) => {
      const from = hostPath(machine, source.replace(/^\?/, ''));
      const names = source.endsWith('/') ? filesBelow(from.replace(/\/$/, '')) : [''];
      return names
        .map((name) => ({ path: `${path}${name}`, mode: mode.replace(/^0/, ''), source: `${from}${name}` }))
        .filter((file) => statSync(file.source, { throwIfNoEntry: false }) !== undefined);
    });
}

/** The node's units in the format of Ignition. */
export function carriedUnits(): readonly object[] {
  return nodeFileRows
    .filter(({ mode }) => mode === 'unit')
    .map(({ source, path }) => ({
      name: path.slice(path.lastIndexOf('/') + 1),
      enabled: true,
      contents: readFileSync(source.replace('openshift/', 'templates/live/opt/openshift/'), 'utf8'),
    }));
}

function hostPath(machine: Machine, source: string): string {
  const folders: Readonly<Record<string, string>> = {
    openshift: 'opt/openshift',
    kubernetes: 'etc/kubernetes',
    bin: 'usr/local/bin',
  };
  const [first = '', ...rest] = source.split('/');
  return join(machine.root, folders[first] ?? first, rest.join('/'));
}
