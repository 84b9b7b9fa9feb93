import { problem, type Problem } from '../core/problem.js';
import type { OutputFile } from '../core/output-file.js';
import { failure, success, type Result } from '../core/result.js';
import { noStandardInput, type Stdin } from '../disk/outside/standard-input.js';
import { inputsOf } from '../disk/read-inputs.js';
import { keepingOf } from '../disk/state/keeping.js';
import type { InputRecord } from '../disk/state/recorded-inputs.js';
import { isSealedName } from '../disk/state/sealed-outputs.js';
import { wantedSeal } from '../disk/state/sealing.js';
import { noAccess, type StateAccess } from '../disk/state/state-access.js';
import { stateFileName, type State } from '../disk/state/state-file.js';
import { stateWishes } from '../disk/state/state-wishes.js';
import { clockOf, type Renewal } from './effects/clock.js';
import type { ChanceSource } from './effects/draws.js';
import { inputsAmong, vanishedVariables, type InputOptions, type Variables } from '../disk/environment.js';
import type { Inputs } from '../graph/context.js';
import type { Order } from './making.js';
import type { ReceiptSigner } from './receipted.js';
import type { Facts, Target } from './target.js';
import { targets } from './targets.js';
import type { Start } from './unchanged.js';
import { loadKnownState, type StateOrder } from './unread-state.js';

/** An order for a target, with all that comes from outside of the directory. */
export interface RunRequest extends Order, InputOptions, Pick<StateOrder, 'isStateOptional'> {
  readonly dir: string;
  /** What the directory must not lead out of, where the user has not named it itself. */
  readonly within?: string;
  /** The command as the user typed it, for a second run that meets the lock. */
  readonly command: string;
  readonly variables: Variables;
  /** None when left out. */
  readonly stdin?: Stdin;
  readonly present: Date;
  /** Whether certificates are issued anew from the same keys although the kept ones serve. */
  readonly renewal?: Renewal;
  /** Which build of the program this is; without it, outputs are always made again. */
  readonly program?: string;
  /** What signs the receipt, where it is to be signed. */
  readonly signer?: ReceiptSigner;
  /** Whether outputs that hold secrets are encrypted as the state is; undefined for what sno-config.yaml says, or the last run did. */
  readonly encryptOutputs?: boolean;
  /** Where draws come from that are not kept; left out, from the operating system. */
  readonly chance?: (settings: { readonly isFips: boolean }) => ChanceSource;
  /** What opens encrypted states, and to whom they are encrypted. */
  readonly access?: StateAccess;
  /** Of a directory that holds outputs and a state alone: what they are made of. */
  readonly source?: RunSource;
}

/** What a target is made of that is no directory of its own, such as a site of many. */
export interface RunSource {
  readonly inputs: Inputs;
  /** To whom the state is encrypted, beside those that sno-config.yaml names. */
  readonly recipients: readonly string[];
  /** Where sno-config.yaml does not say it. */
  readonly encryptOutputs?: boolean;
  /** One more file that comes into the directory with the outputs, by which it is known later that nothing has changed. */
  readonly record: (run: RecordedRun) => OutputFile;
}

/** What a run that is decided was made of, and what it writes. */
export interface RecordedRun {
  readonly inputRecord: InputRecord;
  /** Environment variables and options that were inputs. */
  readonly given: Readonly<Record<string, string>>;
  readonly issued: Date;
  readonly facts: Facts;
  readonly warnings: readonly Problem[];
  /** SHA-256 (hex) of the state file. */
  readonly stateSha256: string;
  readonly outputs: readonly { readonly path: string; readonly mode: number; readonly sha256: string }[];
}

/**
 * What a run goes on from: the state of its directory, what it is made of, and how both are kept. Problems: those of `loadKnownState`,
 * `clockOf`, `wantedSeal` and `keepingOf`.
 */
export async function begin(request: RunRequest): Promise<Result<Start>> {
  const { access = noAccess } = request;
  const loaded = await loadKnownState(request, access);
  if (!loaded.ok) return loaded;
  const { state, own, stored, isUnread } = loaded.value;
  const given = inputsAmong(request.variables, request);
  const { present, renewal } = request;
  const clock = clockOf(state, given, { present, ...(renewal && { renewal }) });
  if (!clock.ok) return clock;
  const { variables, stdin = noStandardInput } = request;
  const { source: made } = request;
  const inputs = made?.inputs ?? inputsOf(request.dir, state.written, { variables, stdin });
  const wishes = stateWishes(inputs);
  const configured = [...(made?.recipients ?? []), ...wishes.recipients];
  const seal = await wantedSeal({ access, configured, stored });
  if (!seal.ok) return seal;
  const encryptsOutputs =
    request.encryptOutputs ?? wishes.encryptOutputs ?? made?.encryptOutputs ?? didEncrypt(request, state);
  if (encryptsOutputs && seal.value === undefined && makesIgnition(request) && !isUnread)
    return nobodyToEncryptTo(request);
  const keeping = keepingOf(own, { isOutside: access.outside !== undefined, seal: seal.value });
  if (!keeping.ok) return keeping;
  const source = access.outside?.shownAs ?? request.stateFile ?? stateFileName;
  const isFile = access.outside === undefined;
  const kept = { seal: seal.value, encryptsOutputs, keeping: keeping.value, source, isFile };
  return success({ state, isStateUnread: isUnread, own, ...kept, clock: clock.value, given, inputs }, [
    ...loaded.warnings,
    ...clock.warnings,
    ...vanishedVariables(state, given),
  ]);
}

/** Whether the last run of the target encrypted its outputs, or, where there was none, one of another. */
function didEncrypt({ target }: RunRequest, { sealed = {}, lastRuns }: State): boolean {
  const outputs = lastRuns[target]?.outputs.map(({ path }) => path) ?? Object.keys(sealed);
  return outputs.some(isSealedName);
}

function makesIgnition({ target }: RunRequest): boolean {
  const { offer }: Target = targets[target];
  return offer.makes === 'ignition';
}

function nobodyToEncryptTo({ source }: RunRequest): Result<never> {
  const message = 'outputs are to be encrypted, and nothing says to whom';
  const hint = source
    ? 'write `recipients` in fleet.yaml, or `state.recipients` in sno-config.yaml'
    : 'write `state.recipients` in sno-config.yaml, or name recipients by --recipient; or leave them plain by --no-encrypt-outputs';
  return failure(problem('state/no-recipients', message, { hint }));
}
