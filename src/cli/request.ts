import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { isFipsHost } from '../disk/file-systems/fips-host.js';
import { buildId } from '../disk/program-files/package.js';
import { ownTemplates } from '../disk/program-files/templates.js';
import { standardInput, type Stdin } from '../disk/external-files/standard-input.js';
import { readNamedBytes, stdinName } from '../disk/state/named-bytes.js';
import { readPassphrase, type PassphraseTerminal } from '../disk/state/named-keys.js';
import { createStateAccess, type ExternalState, type StateAccess } from '../disk/state/state-access.js';
import type { Renewal } from '../run/effects/clock.js';
import type { Progress } from '../graph/engine.js';
import type { ReceiptSigner } from '../disk/receipt/receipt-signer.js';
import type { RunOptions } from '../run/run.js';
import type { TargetName } from '../run/targets.js';
import type { AioOptions, GlobalOptions, RecipientOptions, SignOptions } from './options.js';
import { commandLine, urlOrPath } from '../run/effects/command-line.js';
import { passphraseTerminal } from '../run/effects/passphrase-terminal.js';
import { isData } from './output/data.js';

/** Options of a run that only some commands set. */
export interface RequestDetails {
  readonly onProgress?: Progress;
  readonly renewal?: Renewal;
  readonly signer?: ReceiptSigner;
  /** Shared by several runs of one command, because stdin can be read only once. */
  readonly sources?: RequestSources;
  /** Kernel arguments of the installed node. */
  readonly kernelArguments?: readonly string[];
  /** For commands that only check inputs: they continue without the state if it cannot be decrypted. */
  readonly isStateOptional?: boolean;
}

/** Sources outside of the directory. */
export interface RequestSources {
  readonly access: StateAccess;
  readonly stdin: Stdin;
}

/** Both share one stdin. */
export function sourcesOf(options: GlobalOptions & RecipientOptions): RequestSources {
  const stdin = standardInput();
  return { access: stateAccess(options, stdin), stdin };
}

/** Returns a run request from the options, with the clock, environment and command line of this process. */
export function runRequest(
  target: TargetName,
  options: GlobalOptions & AioOptions & RecipientOptions,
  details: RequestDetails = {},
): RunOptions {
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
    isFipsHost: isFipsHost(),
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

/** Returns the access to encrypted states from the options. */
export function stateAccess(options: GlobalOptions & RecipientOptions, stdin = standardInput()): StateAccess {
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
  return createStateAccess(names, { stdin, ...(outside && { outside }), ...(terminal && { terminal }) });
}

/** Returns the terminal for passphrase prompts; undefined if the output is data. */
export function terminalOf(options: GlobalOptions): PassphraseTerminal | undefined {
  if (isData(options)) return undefined;
  return passphraseTerminal({ input: process.stdin, screen: process.stderr });
}

const stateCommandOption = '--state-command';

/** Returns the file of `--state`; nothing for stdin. */
export function stateFileOf({ state }: GlobalOptions): { readonly stateFile?: string } {
  return state === undefined || state === stdinName ? {} : { stateFile: state };
}

function outsideOf(
  { state, stateCommand }: GlobalOptions,
  stdin: Stdin,
  secrets: () => readonly string[],
): ExternalState | undefined {
  if (stateCommand === undefined) {
    if (state !== stdinName) return undefined;
    return { shownAs: '--state -', read: () => Promise.resolve(readNamedBytes('--state', stdinName, stdin)) };
  }
  return {
    shownAs: stateCommandOption,
    read: async () => {
      if (state !== undefined) return twoStates();
      // Loaded on demand, because the module that starts processes is slow to load.
      const { outputOfCommand } = await import('../run/effects/state-command.js');
      return outputOfCommand(stateCommand, { option: stateCommandOption, secrets });
    },
  };
}

function twoStates(): Result<never> {
  const message = `--state and ${stateCommandOption} cannot be combined`;
  return failure(problem('usage/conflicting-options', message, { hint: 'remove one of them' }));
}

/** Prints the milliseconds since the start of the process. */
function logStep(step: string): void {
  process.stderr.write(`debug: ${performance.now().toFixed(0).padStart(5)} ms: ${step}\n`);
}

/** Returns the signer of the receipt, if requested. Problems: those of `readReceiptSigner`. */
export async function signerOf({
  signKey,
}: SignOptions): Promise<Result<{ readonly signer?: ReceiptSigner }>> {
  if (signKey === undefined) return success({});
  const { readReceiptSigner } = await import('../disk/receipt/receipt-signer.js');
  const signer = readReceiptSigner(signKey);
  return signer.ok ? success({ signer: signer.value }) : signer;
}
