import { windowWarnings } from './boot-window.js';
import { stateWishes } from './disk/state/state-wishes.js';
import { problem, type Problem } from './core/problem.js';
import { failure, success, type Result } from './core/result.js';
import { commit } from './disk/commit.js';
import { openDirectory } from './disk/directory.js';
import { inputsOf } from './disk/read-inputs.js';
import { noStandardInput, type Stdin } from './disk/outside/standard-input.js';
import type { LastRun } from './disk/state/last-run.js';
import { keepingOf } from './disk/state/keeping.js';
import { isSealedName } from './disk/state/sealed-outputs.js';
import { wantedSeal } from './disk/state/sealing.js';
import { noAccess, type StateAccess } from './disk/state/state-access.js';
import { stateFileName, type State } from './disk/state/state-file.js';
import { clockOf, type Renewal } from './effects/clock.js';
import { approvedChance, drawsOver, type DrawsInHand } from './effects/draws.js';
import { vanishedVariables, inputsAmong, type InputOptions, type Variables } from './effects/environment.js';
import { rehearsedDraws } from './effects/rehearsal.js';
import type { Asset } from './graph/asset.js';
import { isRefusedIn } from './lacking-draws.js';
import { makeTarget, makeValue, type Made, type Order } from './making.js';
import type { Facts, Target } from './target.js';
import { encryptedFor, plannedOutputs } from './planned-outputs.js';
import { loadKnownState, toldWithoutState, type StateOrder } from './unread-state.js';
import { isSignedAsAsked, type ReceiptSigner } from './receipted.js';
import { stateToWrite } from './state-to-write.js';
import { targets } from './targets.js';
import { lastIfUnchanged, reportOf, type RunReport, type Start } from './unchanged.js';

export type { RunReport };

/** An order for a target, with all that comes from outside of the directory. */
export interface RunRequest extends Order, InputOptions, Pick<StateOrder, 'isStateOptional'> {
  readonly dir: string;
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
  /** What opens encrypted states, and to whom they are encrypted. */
  readonly access?: StateAccess;
}

/**
 * Makes a target and brings its files into the directory: all of them, or, when there is a problem, none.
 * Problems: those of every asset, and dir/*.
 */
export async function run(request: RunRequest): Promise<Result<RunReport>> {
  const lock = await openDirectory(request.dir, request.command);
  if (!lock.ok) return lock;
  try {
    const start = await begin(request);
    if (!start.ok) return start;
    const isSigned = isSignedAsAsked(request.dir, request.signer);
    const last = isSigned ? lastIfUnchanged(request, start.value) : undefined;
    request.onStep?.(
      last === undefined
        ? 'something may have changed since the last run'
        : 'nothing has changed since the last run',
    );
    if (last !== undefined) return unchanged(request, last, start.warnings);
    const made = await makeTarget(request, start.value, ({ isFips }) =>
      drawsOver(start.value.clock.draws, {
        isRefused: isRefusedIn(start.value),
        ...(isFips && { source: approvedChance }),
      }),
    );
    if (!made.ok) return failure(...start.warnings, ...made.problems);
    const windows = windowWarnings(made.value.facts, request.present);
    return await write(request, { start: start.value, made: made.value }, [...start.warnings, ...windows]);
  } finally {
    lock.value.release();
  }
}

/**
 * Makes a target in memory, without chance, writes nothing at all and gives nothing that could be written.
 * Problems: those that `run` would report, but for the lock and for what only writing shows.
 */
export async function check(request: RunRequest): Promise<Result<Facts>> {
  const start = await begin(request);
  if (!start.ok) return start;
  const last = lastIfUnchanged(request, start.value);
  if (last !== undefined) return unchanged(request, last, start.warnings);
  const made = await makeTarget(request, start.value, () =>
    rehearsedDraws(start.value.clock.draws, isRefusedIn(start.value)),
  );
  const { isStateUnread } = start.value;
  if (!made.ok)
    return failure(...start.warnings, ...(isStateUnread ? toldWithoutState(made.problems) : made.problems));
  const { facts } = made.value;
  const warnings = [...start.warnings, ...windowWarnings(facts, request.present), ...made.value.warnings];
  // Whose the files are that lie where outputs go, only the state tells.
  if (isStateUnread) return success(facts, warnings);
  const { problems } = await plannedOutputs(request, start.value, made.value);
  return problems.length > 0 ? failure(...warnings, ...problems) : success(facts, warnings);
}

/**
 * The value of one asset, of inputs that are sound for the request's target, without chance; writes nothing.
 * Problems: those of the inputs.
 */
export async function look<T>(request: RunRequest, asset: Asset<T>): Promise<Result<T>> {
  const start = await begin(request);
  if (!start.ok) return start;
  const hand = rehearsedDraws(start.value.clock.draws);
  const made = await makeValue(request, start.value, { asset, hand });
  return made.ok
    ? success(made.value, [...start.warnings, ...made.warnings])
    : failure(...start.warnings, ...made.problems);
}

async function begin(request: RunRequest): Promise<Result<Start>> {
  const { access = noAccess } = request;
  const loaded = await loadKnownState(request, access);
  if (!loaded.ok) return loaded;
  const { state, own, stored, isUnread } = loaded.value;
  const given = inputsAmong(request.variables, request);
  const { present, renewal } = request;
  const clock = clockOf(state, given, { present, ...(renewal && { renewal }) });
  if (!clock.ok) return clock;
  const { variables, stdin = noStandardInput } = request;
  const inputs = inputsOf(request.dir, state.written, { variables, stdin });
  const wishes = stateWishes(inputs);
  const seal = await wantedSeal({ access, configured: wishes.recipients, stored });
  if (!seal.ok) return seal;
  const encryptsOutputs = request.encryptOutputs ?? wishes.encryptOutputs ?? didEncrypt(request, state);
  if (encryptsOutputs && seal.value === undefined && makesIgnition(request) && !isUnread)
    return nobodyToEncryptTo();
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

function nobodyToEncryptTo(): Result<never> {
  const message = 'outputs are to be encrypted, and nothing says to whom';
  const hint =
    'write `state.recipients` in sno-config.yaml, or name recipients by --recipient; or leave them plain by --no-encrypt-outputs';
  return failure(problem('state/no-recipients', message, { hint }));
}

/** What a run reports that would make the same again. */
function unchanged(request: RunRequest, last: LastRun, earlier: readonly Problem[]): Result<RunReport> {
  const report = reportOf(last);
  return success(report, [...earlier, ...windowWarnings(report, request.present), ...last.warnings]);
}

interface Written {
  readonly start: Start;
  readonly made: Made<DrawsInHand>;
}

async function write(
  request: RunRequest,
  { start, made }: Written,
  earlier: readonly Problem[],
): Promise<Result<RunReport>> {
  const { facts } = made;
  const warnings = [...earlier, ...made.warnings];
  const plan = await plannedOutputs(request, start, made, encryptedFor(start.seal));
  if (plan.problems.length > 0) return failure(...warnings, ...plan.problems);
  const committed = commit(request.dir, {
    writes: [...(await stateToWrite(request, { start, made, plan })), ...plan.writes],
    removals: plan.removals,
  });
  if (committed.ok) request.onStep?.(`wrote ${plan.writes.length} of ${plan.changes.length} files`);
  if (!committed.ok) return committed;
  const plain = plan.plain.size > 0 && { plain: plan.plain };
  return success({ ...facts, outputs: plan.changes, ...plain }, warnings);
}
