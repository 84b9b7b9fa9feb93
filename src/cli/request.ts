import { resolve } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { buildId } from '../disk/own/package.js';
import { ownTemplates } from '../disk/own/templates.js';
import { standardInput, type Stdin } from '../disk/outside/standard-input.js';
import { readNamedBytes, stdinName } from '../disk/state/named-bytes.js';
import { readPassphrase, type PassphraseTerminal } from '../disk/state/named-keys.js';
import { accessBy, type OutsideState, type StateAccess } from '../disk/state/state-access.js';
import type { Renewal } from '../run/effects/clock.js';
import type { Progress } from '../graph/engine.js';
import type { ReceiptSigner } from '../run/receipted.js';
import type { RunRequest } from '../run/run.js';
import type { TargetName } from '../run/targets.js';
import type { AioOptions, GlobalOptions, RecipientOptions, SignOptions } from './options.js';
import { shownArgument } from '../core/quoted.js';
import { passphraseTerminal } from '../run/effects/passphrase-terminal.js';

/** What a command adds to its options. */
export interface RequestDetails {
  readonly onProgress?: Progress;
  readonly renewal?: Renewal;
  readonly signer?: ReceiptSigner;
  /** For several runs of one command: what is read from outside of the directories is there once. */
  readonly sources?: RequestSources;
  /** For the kernel of the installed node. */
  readonly kernelArguments?: readonly string[];
  /** Of a command that only judges inputs: it does without a state that nothing opens. */
  readonly isStateOptional?: boolean;
}

/** What a command reads from outside of its directory. */
export interface RequestSources {
  readonly access: StateAccess;
  readonly stdin: Stdin;
}

/** Those of a command line, with one standard input for all of them. */
export function sourcesOf(options: GlobalOptions & RecipientOptions): RequestSources {
  const stdin = standardInput();
  return { access: accessOf(options, stdin), stdin };
}

/** The run a command asks for, with the clock, the environment and the command line of this process. */
export function requestOf(
  target: TargetName,
  options: GlobalOptions & AioOptions & RecipientOptions,
  details: RequestDetails = {},
): RunRequest {
  const { onProgress, renewal, signer, kernelArguments, isStateOptional = false } = details;
  const { sources = sourcesOf(options) } = details;
  const program = buildId();
  return {
    dir: options.dir,
    target,
    ...stateFileOf(options),
    command: commandLine(),
    variables: process.env,
    ...(options.offlineFiles !== undefined && { offlineFiles: urlOrPath(options.offlineFiles) }),
    ...(kernelArguments && { kernelArguments }),
    isStateOptional,
    present: new Date(),
    ...(renewal && { renewal }),
    ...(signer && { signer }),
    templates: ownTemplates(),
    ...(options.encryptOutputs !== undefined && { encryptOutputs: options.encryptOutputs }),
    ...(onProgress && { onProgress }),
    ...(options.logLevel === 'debug' && { onStep: logStep }),
    ...(program !== undefined && { program }),
    ...sources,
  };
}

/** The command as the user typed it, without what may be a secret. */
export function commandLine(): string {
  return `sno-install ${process.argv.slice(2).map(shownArgument).join(' ')}`;
}

/** What the command line says of encrypted states. */
export function accessOf(options: GlobalOptions & RecipientOptions, stdin = standardInput()): StateAccess {
  const { identity = [], passphraseFile, recipient = [], recipientsFile = [], passphrase = false } = options;
  const names = {
    identityFiles: identity,
    ...(passphraseFile !== undefined && { passphraseFile }),
    isTyped: passphrase,
    recipients: recipient,
    recipientsFiles: recipientsFile,
  };
  const outside = outsideOf(options, stdin, () => {
    const read = readPassphrase('--passphrase-file', passphraseFile, stdin);
    return read.ok && read.value !== undefined ? [read.value] : [];
  });
  const terminal = terminalOf(options);
  return accessBy(names, { stdin, ...(outside && { outside }), ...(terminal && { terminal }) });
}

/** Who can be asked: nobody where JSON is wanted. */
export function terminalOf({ output }: GlobalOptions): PassphraseTerminal | undefined {
  if (output === 'json') return undefined;
  return passphraseTerminal({ input: process.stdin, screen: process.stderr });
}

const stateCommandOption = '--state-command';

/** The state file that the command line names, where it is one. */
export function stateFileOf({ state }: GlobalOptions): { readonly stateFile?: string } {
  return state === undefined || state === stdinName ? {} : { stateFile: state };
}

function outsideOf(
  { state, stateCommand }: GlobalOptions,
  stdin: Stdin,
  secrets: () => readonly string[],
): OutsideState | undefined {
  if (stateCommand === undefined) {
    if (state !== stdinName) return undefined;
    return { shownAs: '--state -', read: () => Promise.resolve(readNamedBytes('--state', stdinName, stdin)) };
  }
  return {
    shownAs: stateCommandOption,
    read: async () => {
      if (state !== undefined) return twoStates();
      // What starts programs takes its time to load.
      const { outputOfCommand } = await import('../run/effects/state-command.js');
      return outputOfCommand(stateCommand, { option: stateCommandOption, secrets });
    },
  };
}

function twoStates(): Result<never> {
  const message = `--state stands beside ${stateCommandOption}, and there is one state`;
  return failure(problem('usage/unknown-argument', message, { hint: 'leave one of them out' }));
}

/** A folder as a command run from elsewhere would name it. */
export function urlOrPath(place: string): string {
  return place.includes('://') ? place : resolve(place);
}

/** Milliseconds count from the start of the process. */
function logStep(step: string): void {
  process.stderr.write(`debug: ${performance.now().toFixed(0).padStart(5)} ms: ${step}\n`);
}

/** What signs the receipt, where the options ask for it. Problems: those of `readReceiptSigner`. */
export async function signerOf({
  signKey,
}: SignOptions): Promise<Result<{ readonly signer?: ReceiptSigner }>> {
  if (signKey === undefined) return success({});
  const { readReceiptSigner } = await import('../run/sources/receipt-signer.js');
  const signer = readReceiptSigner(signKey);
  return signer.ok ? success({ signer: signer.value }) : signer;
}
