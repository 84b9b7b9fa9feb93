import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { problem, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import type { Stdin } from '../../disk/external-files/standard-input.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { cachedInputs } from '../../disk/read-inputs.js';
import { readNamedBytes } from '../../disk/state/named-bytes.js';
import { openFile } from '../../disk/state/open-state.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { readBmcUsers, type BmcUserLookup } from './bmc-credentials.js';
import { bootTargets, type BootSite } from './boot-targets.js';
import type { SiteHardware } from './boot-record.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { secretAccess, secretProblems, withSecrets } from '../table/site-secrets.js';
import type { ShowProgress } from '../table/site-progress.js';
import { fleetFileName } from '../table/fleet-paths.js';
import { variableNamesIn } from '../../config/variables.js';
import { nodeAt } from '../../formats/yaml/yaml-tree.js';
import { isAge } from '../../formats/age.js';
import type { Inputs } from '../../graph/context.js';
import type { ShownProblems } from '../problems/grouped-problems.js';
import { openRequestedFleet, type FleetRequest } from '../build/fleet-request.js';
import type { BootMode } from './boot-settings.js';
import { scalarText, tracedAt, type Traced } from '../../formats/yaml/traced.js';
import { filesOf } from '../table/check-site-files.js';
import { macAddressesOf } from '../table/unique-values.js';
import { parseJson } from '../../formats/json.js';
import { objectOf, objectsAt, textAt, type JsonObject } from '../../remote/redfish/resource.js';

export interface BootInputs {
  readonly fleet: LoadedFleet;
  readonly sites: readonly BootSite[];
  /** Absent in a dry run. */
  readonly users?: BmcUserLookup;
  /** Absent if nothing is booted. */
  readonly urls?: ImageUrlLookup;
  /** Hardware in the configuration of a site. */
  readonly hardwareOf: (site: string) => SiteHardware;
  /** The folder of fleet.yaml. */
  readonly dir: string;
  /** The output folder within `dir`. */
  readonly outputs: string;
}

/** The fleet, its media and the users of its BMCs, as options name them. */
export interface BootRequest extends FleetRequest {
  /** File with the image URLs, or `-`. */
  readonly media?: string;
  /** URL with the placeholder `{site}`. */
  readonly mediaUrl?: string;
  readonly credentialsCommand?: string;
  readonly allowCommands?: true;
}

interface BootAccess {
  /** Opens an encrypted credentials file. */
  readonly access: StateAccess;
  readonly shown: ShownProblems;
  readonly surroundings: Surroundings;
  /** For the commands of logins. */
  readonly showProgress: ShowProgress;
}

/** Reads all inputs and reports their problems before any BMC is contacted. */
export async function bootInputs(
  options: BootRequest,
  mode: BootMode,
  { access, shown, surroundings, showProgress }: BootAccess,
): Promise<Result<BootInputs>> {
  const { dir } = options;
  const opened = openRequestedFleet(options, surroundings);
  if (!opened.ok) return opened;
  const fleetInputs = cachedInputs(dir, {});
  const block = bootTargets(opened.value, fleetInputs);
  const isNamed = options.media !== undefined || options.mediaUrl !== undefined;
  const needsUrls = mode === 'boot' || mode === 'dry-run' || (mode === 'check' && isNamed);
  const urls = needsUrls ? imageUrls(options, surroundings.stdin) : success(undefined);
  const problems = [block, urls].flatMap(problemsOf);
  if (!block.ok || !urls.ok) return failure(...problems);
  const { sites, credentials } = block.value;
  const isDryRun = mode === 'dry-run';
  const hasLogin = options.credentialsCommand === undefined && sites.some(({ user }) => user !== undefined);
  const users = isDryRun
    ? success(undefined)
    : hasLogin
      ? await usersOfSecrets(options, opened.value, { fleetInputs, shown, showProgress })
      : await bmcUsers(options, credentials, { fleetInputs, access, showProgress });
  if (!users.ok) return users;
  const missing = [
    ...sites
      .filter(({ name }) => users.value?.(name) === undefined && mode !== 'dry-run')
      .map((site) => noUser(site, credentialsName(options, credentials))),
    ...sites.filter(({ name }) => needsUrls && urls.value?.(name) === undefined).map(noImage),
  ];
  if (missing.length > 0) return failure(...missing);
  return success({
    fleet: opened.value,
    sites,
    hardwareOf: hardwareLookup(opened.value),
    dir,
    outputs: join(dir, opened.value.fleet.outputs),
    ...(users.value && { users: users.value }),
    ...(urls.value && { urls: urls.value }),
  });
}

function noUser({ name, at }: BootSite, file: string): ReturnType<typeof problem> {
  const hint = 'add an entry for the site, or a pattern such as "*"';
  return problem('boot/credentials', `${file} has no user for the BMC of ${name}`, { at, hint });
}

function credentialsName({ credentialsCommand }: BootRequest, file: string | undefined): string {
  if (credentialsCommand !== undefined) return 'the output of --credentials-command';
  return file ?? 'boot.credentials';
}

function noImage({ name, at }: BootSite): ReturnType<typeof problem> {
  const hint = 'print the URLs again with `serve --print-urls`, or select other sites with --only';
  return problem('boot/image', `no image URL for site ${name}`, { at, hint });
}

function imageUrls({ media, mediaUrl }: BootRequest, stdin: Stdin): Result<ImageUrlLookup> {
  if (mediaUrl !== undefined) return imageUrlsFromTemplate(mediaUrl);
  if (media === undefined) {
    const hint =
      'use --media with the output of `serve --print-urls --output json`, or --media-url "https://host/{site}/live.iso"';
    return failure(problem('usage/unknown-argument', '--media or --media-url is missing', { hint }));
  }
  const read = readNamedBytes('--media', media, stdin);
  return read.ok ? imageUrlsFromList(Buffer.from(read.value).toString('utf8'), `--media ${media}`) : read;
}

/** Problems: fleet/secret, those of `bootTargets`. */
async function usersOfSecrets(
  options: BootRequest,
  opened: LoadedFleet,
  {
    fleetInputs,
    shown,
    showProgress,
  }: Pick<BootAccess, 'shown' | 'showProgress'> & { readonly fleetInputs: Inputs },
): Promise<Result<BmcUserLookup>> {
  const names = new Set(fieldsOfLogin.flatMap((field) => variableNamesIn(textOfField(opened, field))));
  const filled = await withSecrets(opened, {
    ...secretAccess(options, showProgress),
    jobs: availableParallelism(),
    names,
  });
  const failed = secretProblems(filled);
  if (failed.length > 0) return failure(...shown(failed, opened.rows.length));
  const block = bootTargets(filled, fleetInputs);
  if (!block.ok) return block;
  const source = loginSource(opened);
  const users = new Map(
    block.value.sites.map(({ name, user }) => [name, user && { ...user, source }] as const),
  );
  return success((site) => users.get(site));
}

const fieldsOfLogin = ['username', 'password'] as const;

/** Name of the secrets in boot.username and boot.password. */
function loginSource(opened: LoadedFleet): string {
  const names = fieldsOfLogin.flatMap((field) => variableNamesIn(textOfField(opened, field)));
  const secrets = [...new Set(names)].filter((name) => opened.fleet.secrets.has(name)).map(quotedName);
  return secrets.length === 0
    ? `boot.username and boot.password of ${fleetFileName}`
    : `the secret ${secrets.join(' and ')} of ${fleetFileName}, and boot.username`;
}

function textOfField({ fleet }: LoadedFleet, field: string): string {
  const node = fleet.boot && nodeAt(fleet.boot, [field]);
  return node?.kind === 'scalar' ? node.text : '';
}

async function bmcUsers(
  options: BootRequest,
  credentials: string | undefined,
  {
    fleetInputs,
    access,
    showProgress,
  }: Pick<BootAccess, 'access' | 'showProgress'> & { readonly fleetInputs: Inputs },
): Promise<Result<BmcUserLookup>> {
  const { credentialsCommand } = options;
  if (credentialsCommand !== undefined) {
    const { outputOfCommand } = await import('../../run/effects/state-command.js');
    const screen = showProgress(1, 'running --credentials-command');
    const printed = await outputOfCommand(credentialsCommand, { option: '--credentials-command' });
    screen.done();
    return printed.ok ? readBmcUsers(textOf(printed.value), credentialsName(options, credentials)) : printed;
  }
  const at = { file: fleetFileName, path: 'boot.credentials' };
  if (credentials === undefined) {
    const hint = 'set "credentials: bmc.yaml.age" below boot, or use --credentials-command';
    return failure(problem('boot/credentials', 'boot.credentials is missing', { at, hint }));
  }
  const read = fleetInputs.read(credentials);
  if (read.kind !== 'file') {
    const reason = read.kind === 'absent' ? 'it does not exist' : read.reason;
    return failure(problem('boot/credentials', `cannot read ${credentials}: ${reason}`, { at }));
  }
  if (!isAge(read.bytes)) {
    const hint = 'run `age --encrypt --recipient age1… --output bmc.yaml.age bmc.yaml`, and delete bmc.yaml';
    return failure(problem('boot/credentials', `${credentials} is not encrypted with age`, { at, hint }));
  }
  const plain = await openFile(read.bytes, credentials, access);
  return plain.ok ? readBmcUsers(textOf(plain.value), credentials) : plain;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/** Returns a lookup of the hardware in the configuration of a site; of none for a name outside of the table. */
function hardwareLookup(fleet: LoadedFleet): (site: string) => SiteHardware {
  const rows = new Map(fleet.table.rows.map((row) => [row.name, row]));
  return (site) => {
    const row = rows.get(site);
    if (row === undefined) return { macs: [] };
    const { documentsOf } = filesOf(fleet, row);
    const [[install], [sno]] = [documentsOf('install-config.yaml'), documentsOf('sno-config.yaml')];
    const disk = scalarText(install && tracedAt(install, ['bootstrapInPlace', 'installationDisk']));
    const hints = hintsText(sno && tracedAt(sno, ['rootDeviceHints']));
    const chosen = disk === undefined || disk === '' ? hints : disk;
    return {
      macs: macAddressesOf(sno).map(({ text }) => text),
      ...(chosen !== undefined && { disk: chosen }),
    };
  };
}

/** One text for hints in any order: `model: X, serialNumber: Y`. */
function hintsText(hints: Traced | undefined): string | undefined {
  if (hints?.kind !== 'map' || hints.entries.length === 0) return undefined;
  return hints.entries
    .map(({ key, value }) => `${key}: ${scalarText(value) ?? ''}`)
    .sort()
    .join(', ');
}

/** Returns the image URL of a site; undefined if it has none. */
type ImageUrlLookup = (site: string) => string | undefined;

/** Image URLs from a template that contains `{site}`. Problems: boot/image. */
function imageUrlsFromTemplate(template: string): Result<ImageUrlLookup> {
  const urlOf = (site: string): string => template.replaceAll('{site}', site);
  if (!template.includes('{site}'))
    return failure(
      noUrls(
        '--media-url does not contain {site}, so all sites would boot from the same image',
        'add {site} to the URL, or use --media with a list of URLs',
      ),
    );
  if (!isImageUrl(urlOf('site'))) return failure(noUrls('--media-url is not an http or https URL'));
  return success(urlOf);
}

/**
 * Image URLs from the output of `serve --print-urls --output json`: `{"sites": [{"name": …, "iso": …}]}`. Lists of other programs may
 * have `url` instead of `iso`. The URLs contain tokens and never appear in messages. Problems: boot/image.
 */
function imageUrlsFromList(text: string, shownAs: string): Result<ImageUrlLookup> {
  const sites = objectsAt(objectOf(parseJson(text)), 'sites');
  const entries = sites.map((each) => [textAt(each, 'name') ?? '', imageOf(each)] as const);
  if (entries.length === 0)
    return failure(
      noUrls(`${shownAs} does not list any images`, 'create it with `serve --print-urls --output json`'),
    );
  const broken = entries.findIndex(([name, url]) => name === '' || !isImageUrl(url));
  if (broken !== -1)
    return failure(noUrls(`entry ${broken + 1} of ${shownAs} needs a name and an http or https URL`));
  const urls = new Map(entries);
  return success((site) => urls.get(site));
}

function imageOf(entry: JsonObject): string {
  return textAt(entry, 'iso') ?? textAt(entry, 'url') ?? '';
}

function noUrls(message: string, hint?: string): Problem {
  return problem('boot/image', message, { hint });
}

function isImageUrl(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);
}
