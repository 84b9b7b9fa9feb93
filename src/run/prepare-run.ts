import { problem, type Problem } from '../core/problem.js';
import type { OutputFile } from '../core/output-file.js';
import { failure, success, type Result } from '../core/result.js';
import { noStandardInput, type Stdin } from '../disk/external-files/standard-input.js';
import { cachedInputs } from '../disk/read-inputs.js';
import { stateStorage } from '../disk/state/state-storage.js';
import type { InputRecord } from '../disk/state/recorded-inputs.js';
import { isSealedName } from '../disk/state/sealed-outputs.js';
import { chooseSeal } from '../disk/state/sealing.js';
import { noAccess, type StateAccess } from '../disk/state/state-access.js';
import { stateFileName, type State } from '../disk/state/state-file.js';
import { stateSettings } from '../disk/state/state-settings.js';
import { clockOf, type Renewal } from './effects/clock.js';
import type { RandomSource } from './effects/generated-values.js';
import { environmentInputs, unsetVariables, type InputOptions, type Variables } from '../disk/environment.js';
import type { Inputs } from '../graph/context.js';
import type { TargetOptions } from './make-target.js';
import type { ReceiptSigner } from '../disk/receipt/receipt-signer.js';
import type { Facts, Target } from './target.js';
import { targets } from './targets.js';
import type { PreparedRun } from './unchanged-run.js';
import { loadKnownState, type StateOptions } from './load-state.js';

/** A target and the inputs of a run from outside of the directory. */
export interface RunOptions extends TargetOptions, InputOptions, Pick<StateOptions, 'isStateOptional'> {
  readonly dir: string;
  /** Folder that links in the directory must not leave, unless the user named the directory. */
  readonly within?: string;
  /** The command line, for the message of a second run that finds the lock taken. */
  readonly command: string;
  readonly variables: Variables;
  /** Default: no standard input. */
  readonly stdin?: Stdin;
  readonly present: Date;
  /** Whether this host is in FIPS mode. If undefined, a config that requests FIPS mode gets no warning. */
  readonly isFipsHost?: boolean;
  /** Whether to reissue certificates with the same keys although the existing ones are still valid. */
  readonly renewal?: Renewal;
  /** Build of the program; if undefined, outputs are always generated again. */
  readonly program?: string;
  /** Signs the receipt. */
  readonly signer?: ReceiptSigner;
  /** Whether to encrypt outputs that contain secrets. Default: sno-config.yaml, then the last run. */
  readonly encryptOutputs?: boolean;
  /** Random source for values that are not stored. Default: the operating system. */
  readonly randomness?: (settings: { readonly isFips: boolean }) => RandomSource;
  /** Identities and recipients of encrypted state files. */
  readonly access?: StateAccess;
  /** The inputs, if the directory contains only outputs and a state file. */
  readonly source?: RunSource;
}

/** Inputs from outside of the directory, such as those of a fleet site. */
export interface RunSource {
  readonly inputs: Inputs;
  /** Whether files that were read contain faults that the caller reports. Nothing is written then. */
  readonly hasFaults: () => boolean;
  /** Recipients of the state in addition to those in sno-config.yaml. */
  readonly recipients: readonly string[];
  /** Default if sno-config.yaml does not set it. */
  readonly encryptOutputs?: boolean;
  /** An additional file of the directory that later shows whether anything has changed. */
  readonly record: (run: RecordedRun) => OutputFile;
}

/** Inputs and outputs of a run before it writes. */
export interface RecordedRun {
  readonly inputRecord: InputRecord;
  /** Environment variables and options that are inputs. */
  readonly given: Readonly<Record<string, string>>;
  readonly issued: Date;
  readonly facts: Facts;
  readonly warnings: readonly Problem[];
  /** SHA-256 (hex) of the state file. */
  readonly stateSha256: string;
  readonly outputs: readonly { readonly path: string; readonly mode: number; readonly sha256: string }[];
}

/** Reads state and inputs, and decides how both are stored. Problems: those of `loadKnownState`, `clockOf`, `chooseSeal` and `stateStorage`. */
export async function prepareRun(request: RunOptions): Promise<Result<PreparedRun>> {
  const { access = noAccess } = request;
  const loaded = await loadKnownState(request, access);
  if (!loaded.ok) return loaded;
  const { state, own, stored, isUnread } = loaded.value;
  const given = environmentInputs(request.variables, request);
  const { present, renewal } = request;
  const clock = clockOf(state, given, { present, ...(renewal && { renewal }) });
  if (!clock.ok) return clock;
  const { variables, stdin = noStandardInput } = request;
  const { source: made } = request;
  const inputs = made?.inputs ?? cachedInputs(request.dir, state.written, { variables, stdin });
  const configuredState = stateSettings(inputs);
  const configured = [...(made?.recipients ?? []), ...configuredState.recipients];
  const seal = await chooseSeal({ access, configured, stored });
  if (!seal.ok) return seal;
  const encryptsOutputs =
    request.encryptOutputs ??
    configuredState.encryptOutputs ??
    made?.encryptOutputs ??
    didEncrypt(request, state);
  if (encryptsOutputs && seal.value === undefined && makesIgnition(request) && !isUnread)
    return nobodyToEncryptTo(request);
  const keeping = stateStorage(own, { isOutside: access.outside !== undefined, seal: seal.value });
  if (!keeping.ok) return keeping;
  const source = access.outside?.shownAs ?? request.stateFile ?? stateFileName;
  const isFile = access.outside === undefined;
  const kept = { seal: seal.value, encryptsOutputs, keeping: keeping.value, source, isFile };
  return success({ state, isStateUnread: isUnread, own, ...kept, clock: clock.value, given, inputs }, [
    ...loaded.warnings,
    ...clock.warnings,
    ...unsetVariables(state, given, { isCheck: request.isStateOptional ?? false }),
  ]);
}

/** Whether the last run of the target, or else of any other, encrypted its outputs. */
function didEncrypt({ target }: RunOptions, { written, lastRuns }: State): boolean {
  const outputs = lastRuns[target]?.outputs.map(({ path }) => path) ?? Object.keys(written);
  return outputs.some(isSealedName);
}

export function makesIgnition({ target }: Pick<RunOptions, 'target'>): boolean {
  const { offer }: Target = targets[target];
  return offer.makes === 'ignition';
}

function nobodyToEncryptTo({ source }: RunOptions): Result<never> {
  const message = 'outputs are to be encrypted, but no recipients are set';
  const hint = source
    ? 'set `recipients` in fleet.yaml or `state.recipients` in sno-config.yaml'
    : 'set `state.recipients` in sno-config.yaml, use --recipient, or write unencrypted outputs with --no-encrypt-outputs';
  return failure(problem('state/no-recipients', message, { hint }));
}
