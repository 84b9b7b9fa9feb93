import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { compareMedium } from '../../../src/disk/receipt/compare-medium.js';
import type { ReceiptMedium } from '../../../src/disk/receipt/receipt-medium.js';
import { encryptedFile } from '../../support/age-keys.js';
import { writtenReceipt, listedFile, placeOfText, withHints } from '../../support/laid-receipt.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

const config = listedFile('worker.ign', '{"a": 1}');
const live = { ...listedFile('iso/live.iso', 'a live image'), name: 'live.iso' };
const makeAgain = ' | create the medium again, or undo the change';

let folder = '';
beforeEach(() => {
  folder = scratchFolder();
  mkdirSync(join(folder, 'iso'));
});

interface Comparing {
  readonly medium?: Partial<ReceiptMedium>;
  readonly opened?: ReadonlyMap<string, Uint8Array>;
  readonly liveIso?: string | undefined;
}

/** The problems of a medium without the positions of its hashes, and whether the live ISO was compared. */
function compared({ medium = { config, liveIso: live }, opened = new Map(), liveIso }: Comparing) {
  const whole = { config: { bytes: 1, sha256: config.sha256 }, urls: {}, kernelArguments: [], ...medium };
  const read = writtenReceipt(folder, { medium: whole });
  const { problems, isLiveIsoCompared } = compareMedium(folder, read, { opened, liveIso });
  const shown = withHints(problems).map((line) =>
    line
      .replace(`${placeOfText(read, config.sha256)}: `, 'CONFIG ')
      .replace(`${placeOfText(read, live.sha256)}: `, 'LIVE ')
      .replaceAll(folder, 'FOLDER'),
  );
  return [shown, isLiveIsoCompared];
}

function lay(path: string, text: string): void {
  writeFileSync(join(folder, path), text);
}

describe('the config of an image', () => {
  const other =
    'error[receipt/input-changed] CONFIG the medium contains a different Ignition config than worker.ign, which is newer';
  const changed = [[`${other}${makeAgain}`], false];
  const same = [[], false];
  const opening = (text: string) => new Map([['worker.ign.age', Buffer.from(text)]]);

  it.each([
    { name: 'unchanged', there: '{"a": 1}', want: same },
    { name: 'missing', want: same },
    { name: 'another', there: '{"a": 2}', want: changed },
    { name: 'encrypted', there: encryptedFile, want: same },
    { name: 'encrypted, decrypted and unchanged', opened: opening('{"a": 1}'), want: same },
    { name: 'encrypted, decrypted and different', opened: opening('{"a": 2}'), want: changed },
    { name: 'encrypted twice', opened: opening(encryptedFile), want: same },
    { name: 'both plain and encrypted', there: '{"a": 1}', opened: opening('{"a": 2}'), want: same },
    { name: 'next to another config', opened: new Map([['worker.ign', Buffer.from('{}')]]), want: same },
  ])('that is $name', ({ there, opened, want }) => {
    if (there !== undefined) lay('worker.ign', there);
    expect(compared({ medium: { config }, ...(opened && { opened }) })).toEqual(want);
  });

  it('from another folder is not compared', () => {
    lay('worker.ign', '{"a": 2}');
    const opened = new Map([['undefined.age', Buffer.from('{}')]]);
    expect(compared({ medium: {}, opened })).toEqual(same);
  });

  it('is reported without its name if the name may be a secret', () => {
    const path = `${'aB3'.repeat(10)}.ign`;
    lay(path, 'other');
    const lines = changed.flat().map((line) => String(line).replace('than worker.ign', 'than …'));
    expect(compared({ medium: { config: { ...config, path } } })[0]).toEqual(lines.slice(0, 1));
  });
});

it('skips a receipt without an image', () => {
  const read = writtenReceipt(folder, {});
  const want = { problems: [], isLiveIsoCompared: false };
  expect(compareMedium(folder, read, { opened: new Map(), liveIso: '/nothing' })).toEqual(want);
});

describe('the live ISO of an image', () => {
  const changed = [
    [`error[receipt/input-changed] LIVE the live ISO iso/live.iso has changed${makeAgain}`],
    true,
  ];
  const odd = (reason: string) => [
    [`error[receipt/odd-file] LIVE iso/live.iso is not compared: ${reason} | `],
    true,
  ];

  it.each([
    { name: 'unchanged', there: 'a live image', want: [[], true] },
    { name: 'missing', want: [[], false] },
    { name: 'with another size', there: 'a live image.', want: changed },
    { name: 'with other bytes', there: 'A live image', want: changed },
  ])('that is $name', ({ there, want }) => {
    if (there !== undefined) lay(live.path, there);
    expect(compared({})).toEqual(want);
  });

  it.each([
    { name: 'is not read if its size differs', there: 'a live image.', want: changed },
    {
      name: 'is read if its size is equal',
      there: 'a live image',
      want: odd('input/output error'),
    },
  ])('$name', ({ there, want }) => {
    lay(live.path, there);
    replaceFsCalls(({ readSync, fstatSync }) => ({
      readSync: ((file: number, ...rest: readonly never[]) =>
        fstatSync(file).size === there.length
          ? failing('EIO')()
          : readSync(file, ...(rest as [never]))) as never,
    }));
    expect(compared({})).toEqual(want);
  });

  it('is not compared if it is not a file', () => {
    mkdirSync(join(folder, live.path));
    expect(compared({})).toEqual(odd('it is a folder'));
  });

  it('that is a link is not compared', () => {
    symlinkSync('other', join(folder, live.path));
    expect(compared({})).toEqual(odd('it is a symbolic link'));
  });

  it('from another folder is not compared, nor for an image without one', () => {
    lay(live.path, 'another');
    const { name, bytes, sha256 } = live;
    expect(compared({ medium: { liveIso: { name, bytes, sha256 } } })).toEqual([[], false]);
    expect(compared({ medium: {}, liveIso: join(folder, live.path) })).toEqual([[], false]);
  });

  it('is reported without its name if the name may be a secret', () => {
    const path = `${'aB3'.repeat(10)}.iso`;
    lay(path, 'other');
    const message = `error[receipt/input-changed] LIVE the live ISO … has changed${makeAgain}`;
    expect(compared({ medium: { liveIso: { ...live, path } } })).toEqual([[message], true]);
  });
});

describe('a live ISO named by an option', () => {
  const { name, bytes, sha256 } = live;
  const elsewhere = { liveIso: { name, bytes, sha256 } };
  const named = (medium: Partial<ReceiptMedium> = elsewhere) =>
    compared({ medium, liveIso: join(folder, 'named.iso') });

  it('is the base of the image', () => {
    lay('named.iso', 'a live image');
    expect(named()).toEqual([[], true]);
  });

  it('is compared instead of the recorded one', () => {
    lay(live.path, 'another');
    lay('named.iso', 'a live image');
    expect(named({ liveIso: live })).toEqual([[], true]);
  });

  it('is reported if it differs', () => {
    lay('named.iso', 'A live image');
    const message = 'FOLDER/named.iso is not the live ISO from which the medium was created (live.iso)';
    expect(named()).toEqual([[`error[receipt/input-changed] LIVE ${message}${makeAgain}`], true]);
  });

  it('is reported if it is unreadable', () => {
    const unreadable = (reason: string) => [
      [
        `error[usage/unreadable-file] FOLDER/named.iso: --iso FOLDER/named.iso cannot be read: ${reason} | name a file that exists and that this user can read`,
      ],
      true,
    ];
    expect(named()).toEqual(unreadable('it does not exist'));
    mkdirSync(join(folder, 'named.iso'));
    expect(named()).toEqual(unreadable('it is not a regular file'));
  });

  it('is reported without its name if the name may be a secret', () => {
    const secret = 'aB3'.repeat(10);
    lay(secret, 'other');
    const medium = { liveIso: { ...elsewhere.liveIso, name: 'live.iso' } };
    const message = '… is not the live ISO from which the medium was created (live.iso)';
    const want = `error[receipt/input-changed] LIVE ${message}${makeAgain}`;
    expect(compared({ medium, liveIso: join(folder, secret) })).toEqual([[want], true]);
  });
});
