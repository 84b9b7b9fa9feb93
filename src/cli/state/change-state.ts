import { join } from 'node:path';

import { printable } from '../../core/printable.js';
import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { writeNewFile } from '../../disk/new-file.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import {
  recipientsConfigured,
  withRecipients,
  chooseSeal,
  withOutputsToReseal,
} from '../../disk/state/sealing.js';
import { readPassphrase } from '../../disk/state/named-keys.js';
import { conflictingOptions, promptNewPassphrase } from '../../disk/state/state-access.js';
import { plainSecretFiles } from '../../disk/state/plain-secret-files.js';
import { serializeState, type StoredState } from '../../disk/state/state-file.js';
import { changeState, readExistingState, type StateLocation } from '../../disk/state/change-state.js';
import { encryptAge, type Seal } from '../../formats/age.js';
import type { DecryptOptions, GlobalOptions, RecipientOptions, RotateOptions } from '../options.js';
import { report } from '../output/report.js';
import { terminalOf } from '../request.js';
import { configuredRecipients, requestedState, shownPath } from './requested-state.js';
import { isData } from '../output/data.js';

/** Encrypts a plain state file in place. */
export async function encryptState(options: GlobalOptions & RecipientOptions): Promise<void> {
  const named = requestedState(options);
  const done = await changeState(named, async (stored) => {
    if (stored.sealedBy !== undefined)
      return refused('is already encrypted', 'run `sno-install state rotate`');
    const seal = await sealFor(options, named, stored);
    return seal.ok ? sealedText(stored, seal.value) : seal;
  });
  // The directory of a file given by --state is not that of the site.
  const found =
    done.ok && options.state === undefined
      ? plainSecretFiles(options.dir, options.passphraseFile)
      : success([]);
  const plainFiles = found.ok ? found.value : [];
  const unread = found.ok ? '' : `Other files in plain text are unknown: ${messagesOf(found.problems)}.\n`;
  const path = shownPath(options);
  report(options, {
    problems: problemsOf(done),
    text: `Encrypted ${path}. Keep the identity or passphrase: without it the cluster keys are lost.\n${plainFilesText(plainFiles, options.dir)}${unread}`,
    json: {
      path,
      ...(plainFiles.length > 0 && { plainFiles: plainFiles.map((file) => join(options.dir, file)) }),
    },
  });
}

function messagesOf(problems: readonly Problem[]): string {
  return printable(problems.map(({ message }) => message).join('; '));
}

function plainFilesText(files: readonly string[], dir: string): string {
  if (files.length === 0) return '';
  const lines = files.map((file) => `  ${printable(join(dir, file))}\n`);
  return (
    `These files with secrets are still plain text:\n${lines.join('')}` +
    'hint: `encryptOutputs: true` below `state` in sno-config.yaml encrypts Ignition configs and auth/; pullSecretFile keeps the pull secret outside of install-config.yaml\n'
  );
}

/** Encrypts an encrypted state file again. */
export async function rotateState(options: GlobalOptions & RotateOptions): Promise<void> {
  const stdin = standardInput();
  const named = requestedState(options, stdin);
  const passphrase = readPassphrase('--new-passphrase-file', options.newPassphraseFile, stdin);
  const done = !passphrase.ok
    ? passphrase
    : await changeState(named, async (stored) => {
        if (stored.sealedBy === undefined)
          return refused('is not encrypted', 'run `sno-install state encrypt`');
        const chosen =
          options.passphrase === true ? await promptNewPassphrase(terminalOf(options)) : passphrase;
        if (!chosen.ok) return chosen;
        const seal =
          chosen.value === undefined ? await sealFor(options, named, stored) : sealBy(chosen.value, options);
        return seal.ok ? sealedText(stored, seal.value) : seal;
      });
  const note = 'Earlier copies can still be decrypted as before and contain the same keys.';
  reportChange(options, done, (file) => `Re-encrypted ${file}. ${note}\n`);
}

/** Decrypts a state file, in place or to another file. */
export async function decryptState(options: GlobalOptions & DecryptOptions): Promise<void> {
  const named = requestedState(options);
  if (options.out !== undefined) {
    await decryptTo(options.out, options, named);
    return;
  }
  const done = await changeState(named, (stored) => Promise.resolve(plainText(stored, options)));
  reportChange(options, done, (file) => `Decrypted ${file}. It contains all private keys of the cluster.\n`);
}

async function decryptTo(out: string, options: GlobalOptions, named: StateLocation): Promise<void> {
  const stored = await readExistingState(named);
  const isStreamed = out === '-';
  if (stored.ok && isStreamed && !isData(options)) process.stdout.write(stored.value.text);
  const done =
    stored.ok && isStreamed && isData(options)
      ? failure(
          problem('usage/conflicting-options', '--out - and --output json cannot be combined', {
            hint: 'use --out FILE',
          }),
        )
      : stored.ok && !isStreamed
        ? writeNewFile(out, stored.value.text, 'choose another file with --out')
        : stored;
  report(options, {
    problems: problemsOf(done),
    ...(!isStreamed && { text: `Wrote ${out}.\n`, json: { path: out } }),
  });
}

/** Problems: those of `chooseSeal`; state/no-recipients. */
async function sealFor(
  options: GlobalOptions,
  { access }: StateLocation,
  stored: StoredState,
): Promise<Result<Seal>> {
  const seal = await chooseSeal({ access, configured: configuredRecipients(options), stored: [stored] });
  if (!seal.ok) return seal;
  if (seal.value !== undefined) return success(seal.value);
  const hint =
    'use --recipient with the output of `age-keygen -y`, --passphrase, or `state.recipients` in sno-config.yaml';
  return failure(
    problem('state/no-recipients', 'no recipient or passphrase to encrypt the state with', { hint }),
  );
}

/** Problems: usage/conflicting-options, state/recipients-configured. */
function sealBy(passphrase: string, options: GlobalOptions & RotateOptions): Result<Seal> {
  const option = options.passphrase === true ? '--passphrase' : '--new-passphrase-file';
  if (options.recipient !== undefined || options.recipientsFile !== undefined)
    return conflictingOptions(option);
  return configuredRecipients(options).length > 0
    ? recipientsConfigured('the passphrase would be replaced by them in the next run')
    : success({ passphrase });
}

async function sealedText(stored: StoredState, seal: Seal): Promise<Result<string>> {
  const state = withOutputsToReseal(withRecipients(stored.state, seal));
  return success(await encryptAge(serializeState(state), seal));
}

/** Problems: state/already, state/recipients-configured. */
function plainText(stored: StoredState, options: GlobalOptions): Result<string> {
  if (stored.sealedBy === undefined) return refused('is not encrypted', 'nothing to do');
  if (configuredRecipients(options).length > 0) return recipientsConfigured('plain text would not last');
  return success(serializeState(withOutputsToReseal(withRecipients(stored.state, undefined))));
}

function refused(what: string, hint: string): Result<never> {
  return failure(problem('state/already', `the state file ${what}`, { hint }));
}

function reportChange(options: GlobalOptions, done: Result<unknown>, said: (file: string) => string): void {
  const path = shownPath(options);
  report(options, { problems: problemsOf(done), text: said(path), json: { path } });
}
