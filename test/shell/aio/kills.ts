import { expect } from 'vitest';

import type { NodeFile } from '../../../src/ignition/types.js';
import { nodeClock } from './aio-node.js';
import { leftOf, readyNode } from './first-boot-node.js';
import { annotationOf, endsOf, readersOf, rowsOf, smallNode, unsoundRows } from './renewing-node.js';

const day = 86_400;

/** A program call in which a script is killed. */
export interface Kill {
  readonly program: 'install' | 'sync' | 'kubectl';
  /** Number of earlier calls. */
  readonly calls: number;
}

/** Checks that a killed first boot continues at its next start and finishes. */
export function expectFirstBootAfterKill(files: readonly NodeFile[], { program, calls }: Kill): void {
  const node = readyNode(files);
  node.killAt(program, calls);
  expect(node.run('aiokube.sh').status).not.toBe(0);
  expect(node.has('var/lib/sno-install/.aiokube.done')).toBe(false);

  expect(node.run('aiokube.sh').status).toBe(0);

  expect([leftOf(node), node.has('var/lib/sno-install/.aiokube.done')]).toEqual([[], true]);
}

/** Checks that a killed renewal leaves usable certificates, and that the next run renews all that are due. */
export function expectRenewedAfterKill(files: readonly NodeFile[], { program, calls }: Kill): void {
  const [node, now] = [smallNode(files), nodeClock + 300 * day];
  node.setClock(now);
  node.killAt(program, calls);
  expect(node.run('sno-renew.sh').status).not.toBe(0);
  // The files on disk are usable at any moment: complete, and each certificate matches its key.
  expect(unsoundRows(node, now)).toEqual([]);

  expect(node.run('sno-renew.sh').status).toBe(0);

  const renewedEnd = now + 365 * day;
  expect(rowsOf(node).filter((row) => endsOf(node, row).some((end) => end !== renewedEnd))).toEqual([]);
  for (const path of readersOf(node)) expect(annotationOf(node.read(path)), path).toBe(String(now));
  expect(node.list('etc').filter((path) => path.endsWith('.new'))).toEqual([]);
  expect(node.list('var/lib/sno-install')).toEqual(['renewals.log']);
}
