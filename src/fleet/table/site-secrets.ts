import { join, posix } from 'node:path';
import { problem, type Place, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { maxReferenceBytes } from '../../disk/external-files/read-reference.js';
import { isSafeDirectory } from '../../disk/git/safe-directory.js';
import { whyUntrustedOwner } from '../../disk/trust.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { inOrder } from '../threads/in-order.js';
import { type Variable, variableNamesIn } from '../../config/variables.js';
import { withFleetVariables, type LoadedFleet } from './check-fleet.js';
import { expandText } from './expand-document.js';
import { GroupedProblems, type FleetProblem } from '../problems/grouped-problems.js';
import { fleetFileName, classesFolder } from './fleet-paths.js';
import type { SecretSource } from './fleet-file.js';
import { knownNames, unresolvedPlaceholder, type KnownNames } from './site-problems.js';
import type { ShowProgress } from './site-progress.js';
import type { SiteRow } from './site-table.js';
import type { Inputs } from '../../graph/context.js';
import { yamlPathsBelow } from './read-fleet.js';
import { siteClasses } from './site-classes.js';

/** How the commands of secrets are run. */
export interface SecretOptions {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  /** Whether to run the commands of a fleet that another user controls. */
  readonly isAllowed: boolean;
  /** Names of the needed secrets. Default: those in the files of each site. */
  readonly names?: ReadonlySet<string>;
  /** Number of sites at the same time. */
  readonly jobs: number;
  /** Once aborted, no further command is started. */
  readonly stop?: AbortSignal;
  /** A command can take seconds for each site. */
  readonly showProgress: ShowProgress;
  /** Default: enough for a login on a slow network. */
  readonly limitMs?: number;
}

/** Settings of `withSecrets` from `--dir` and `--allow-commands`. */
export function secretAccess(
  { dir, allowCommands }: { readonly dir: string; readonly allowCommands?: true },
  showProgress: ShowProgress,
): Pick<SecretOptions, 'dir' | 'isAllowed' | 'showProgress'> {
  return { dir, isAllowed: allowCommands === true, showProgress };
}

/**
 * Adds the needed secrets of fleet.yaml to the selected rows. A site whose command fails has a problem in its layer, so that it cannot be
 * created. If another user controls fleet.yaml, no command is run. Problems: fleet/secret, fleet/variable.
 */
export async function withSecrets(opened: LoadedFleet, options: SecretOptions): Promise<LoadedFleet> {
  const { fleet, table, rows } = opened;
  const isNeeded = (name: string): boolean => options.names?.has(name) ?? true;
  if (![...fleet.secrets.keys()].some(isNeeded)) return opened;
  const names = knownNames(fleet, table);
  const known = { ...names, names: names.names.filter((name) => !fleet.secrets.has(name)) };
  const complete = new Map<SiteRow, SiteRow>();
  const { names: given } = options;
  const needed = given === undefined ? usedSecrets(opened) : (): ReadonlySet<string> => given;
  const distrust = options.isAllowed ? undefined : whyNotRun(options.dir);
  const fetch = async (row: SiteRow): Promise<SiteRow> =>
    options.stop?.aborted === true
      ? row
      : withOwnSecrets(row, { opened, known, options, needed: needed(row), distrust });
  const screen = options.showProgress(rows.length, 'reading secrets of sites');
  try {
    for await (const [row, made] of inOrder(rows, options.jobs, fetch)) {
      complete.set(row, made);
      screen.onSite(complete.size);
    }
  } finally {
    screen.done();
  }
  const inPlace = (all: readonly SiteRow[]): readonly SiteRow[] => all.map((row) => complete.get(row) ?? row);
  return { ...opened, table: { ...table, rows: inPlace(table.rows) }, rows: inPlace(rows) };
}

/** Problems of the commands of `withSecrets`, each with its sites. */
export function secretProblems({ rows }: LoadedFleet): readonly FleetProblem[] {
  const found = new GroupedProblems();
  for (const { name, layer } of rows)
    found.add(
      name,
      (layer?.problems ?? []).filter(({ at, from = at }) => isAtSecret(from)),
    );
  return found.list();
}

/** Why the commands of a fleet are not run. A folder that the user marked as safe for Git is trusted. */
function whyNotRun(dir: string): string | undefined {
  const reason = whyUntrustedOwner(join(dir, fleetFileName));
  return reason === undefined || isSafeDirectory(dir) ? undefined : reason;
}

function isAtSecret(at: Place | undefined): boolean {
  return at?.file === fleetFileName && at.path?.startsWith('secrets.') === true;
}

async function withOwnSecrets(
  row: SiteRow,
  by: Pick<SecretOfSite, 'opened' | 'known' | 'options'> & {
    readonly needed: ReadonlySet<string>;
    readonly distrust: string | undefined;
  },
): Promise<SiteRow> {
  const values = new Map<string, Variable>();
  const problems: Problem[] = [];
  for (const [name, source] of by.opened.fleet.secrets) {
    if (!by.needed.has(name)) continue;
    const made =
      by.distrust === undefined
        ? await secretOf(row, { ...by, name, source })
        : { problems: [notRun(name, source, by.distrust)] };
    if ('text' in made) {
      const { text } = made;
      const span = { line: source.at.line ?? 1, col: source.at.col ?? 1, length: name.length };
      values.set(name, { value: { kind: 'scalar', value: text, text, span }, at: source.at });
    } else problems.push(...made.problems);
  }
  const { known, empty } = row.variables;
  const { files = [], problems: before = [] } = row.layer ?? {};
  return {
    ...row,
    variables: { known: new Map([...known, ...values]), empty },
    ...(problems.length > 0 && { layer: { files, problems: [...before, ...problems] } }),
  };
}

interface SecretOfSite {
  readonly opened: LoadedFleet;
  readonly known: KnownNames;
  readonly options: SecretOptions;
  readonly name: string;
  readonly source: SecretSource;
}

async function secretOf(
  row: SiteRow,
  { opened, known, options, name, source }: SecretOfSite,
): Promise<{ readonly text: string } | { readonly problems: readonly Problem[] }> {
  // A command cannot use the value of another secret.
  const plain = new Map([...opened.fleet.variables].filter(([each]) => !opened.fleet.secrets.has(each)));
  const { variables } = withFleetVariables(row, { ...opened.fleet, variables: plain });
  const words = source.command.map(({ text, at }) => expandText(text, at, variables));
  const faults = words.flatMap((word) => word.faults);
  if (faults.length > 0) return { problems: faults.map((each) => unresolvedPlaceholder(each, known)) };
  const { outputOfProgram } = await import('../../run/effects/run-program.js');
  const ran = await outputOfProgram(
    words.map(({ text }) => text),
    { limitMs: options.limitMs ?? 60_000, maxBytes: maxReferenceBytes },
  );
  if ('fault' in ran) return { problems: [failed(name, source, ran.fault)] };
  // As in $(…) of a shell.
  const text = decodeUtf8(ran.output)?.replace(/[\r\n]+$/, '');
  if (text === undefined) return { problems: [failed(name, source, 'prints no UTF-8 text')] };
  return text === '' ? { problems: [failed(name, source, 'prints nothing')] } : { text };
}

function notRun(name: string, { at }: SecretSource, reason: string): Problem {
  const message = `the command of secret ${quotedName(name)} in ${fleetFileName} is not run: ${reason}`;
  const hint =
    'read the commands in fleet.yaml; if you trust them, add --allow-commands, run `git config --global --add safe.directory DIR`, or correct owner and mode with `chown` and `chmod go-w`';
  return problem('fleet/secret', message, { at, hint });
}

function failed(name: string, { at }: SecretSource, what: string): Problem {
  const hint = 'run the command yourself for this site; its output and its errors are not shown here';
  return problem('fleet/secret', `the command of secret ${quotedName(name)} ${what}`, { at, hint });
}

/** Returns a function that lists the secrets in the files of a site. Secrets used only by `boot` are not included. */
function usedSecrets({ fleet, files }: LoadedFleet): (row: SiteRow) => ReadonlySet<string> {
  const namesBelow = (shown: string, inputs: Inputs, folder: string): readonly string[] =>
    yamlPathsBelow(inputs, folder)
      .filter((path) => !files.isRaw(posix.join(shown, path)))
      .flatMap((path) => variableNamesIn(textOf(inputs, path)))
      .filter((name) => fleet.secrets.has(name));
  const ofClasses = new Map<string, readonly string[]>();
  const ofClass = (name: string): readonly string[] => {
    const known = ofClasses.get(name) ?? namesBelow(classesFolder, files.classInputs, name);
    ofClasses.set(name, known);
    return known;
  };
  const ofBase = namesBelow(files.base, files.baseInputs, '.');
  const ofSettings = fleet.classes.flatMap(({ text }) => variableNamesIn(text));
  return (row) => {
    const classes = siteClasses(files, withFleetVariables(row, fleet).variables).names;
    const own = namesBelow(files.overrides, files.overrideInputs, row.name);
    return new Set([...ofBase, ...ofSettings, ...classes.flatMap(ofClass), ...own]);
  };
}

function textOf(inputs: Inputs, path: string): string {
  const read = inputs.read(path);
  return read.kind === 'file' ? (decodeUtf8(read.bytes) ?? '') : '';
}
