import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { terminalOutput, type PageBlock } from '../../../support/page-commands.js';
import type { Machine } from '../support/machine.js';
import { waitUntil } from '../support/wait-until.js';
import { onNetworkOf } from './lan.js';
import type { Kubectl } from './machine-config-server.js';
import type { Site } from './site.js';

/** Types commands of docs/how-to/workers.md on a computer in the network of the cluster. Its `oc` is the lab's stub. */
export function administrator(
  site: Site,
  controlPlane: Machine,
  scratch: string,
): (commands: string) => string {
  const programs = join(scratch, 'bin');
  mkdirSync(programs, { recursive: true });
  symlinkSync(resolve('test/lab/stand-ins/oc'), join(programs, 'oc'));
  const within = [
    ...onNetworkOf(controlPlane, join(scratch, 'hosts')),
    'env',
    `PATH=${programs}:${process.env['PATH'] ?? ''}`,
    `OC_COMMANDS=${resolve('test/support/command-flags/oc.json')}`,
    'KUBECONFIG=site1/auth/kubeconfig',
  ];
  return (commands) => terminalOutput(commands, { folder: site.folder, home: scratch }, within);
}

/**
 * Repeats the commands of a block until they print the block's output, with the names of this cluster's requests. Ages and widths of
 * columns may differ.
 */
export async function untilShown(
  { title, commands, shown }: PageBlock,
  type: (commands: string) => string,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  await waitUntil(title, () => {
    const output = type(renamed(commands, names));
    if (comparable(output) !== comparable(renamed(shown, names))) throw new Error(output);
    return Promise.resolve(true);
  });
}

/** The names of the requests of this cluster by those on the page; they match by signer. */
export async function requestNames(page: string, kubectl: Kubectl): Promise<ReadonlyMap<string, string>> {
  const list = JSON.parse(await kubectl(['get', 'csr', '--output=json'])) as { items: Request[] };
  const rows = [...page.matchAll(/^(csr-\w+) +\S+ +(\S+)/gm)];
  return new Map(
    rows.flatMap(([, name = '', signer]) => {
      const request = list.items.find(({ spec }) => spec.signerName === signer);
      return request === undefined ? [] : [[name, request.metadata.name] as const];
    }),
  );
}

interface Request {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly signerName: string };
}

function renamed(text: string, names: ReadonlyMap<string, string>): string {
  return [...names].reduce((renamed, [from, to]) => renamed.replaceAll(from, to), text);
}

function comparable(output: string): string {
  const lines = output.trimEnd().split('\n');
  return lines
    .map((line) => line.replace(/^(csr-\w+ +)\S+/, '$1AGE').replaceAll(/ +/g, ' '))
    .toSorted()
    .join('\n');
}
