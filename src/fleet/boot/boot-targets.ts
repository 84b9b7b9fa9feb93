import { type Place, type Problem, problem } from '../../core/problem.js';
import { Redacted } from '../../core/redacted.js';
import { type Result, failure, problemsOf, success } from '../../core/result.js';
import { variableNamesIn } from '../../config/variables.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { nodeAt } from '../../formats/yaml/yaml-tree.js';
import type { BmcUser } from '../../remote/redfish/authenticate.js';
import type { Inputs } from '../../graph/context.js';
import { type BmcAddress, isSameMachine, parseBmcAddress } from '../../remote/redfish/bmc-address.js';
import type { BmcTrust } from '../../remote/redfish/bmc-connection.js';
import { expandDocument } from '../table/expand-document.js';
import { type FleetProblem, GroupedProblems, fleetWide } from '../problems/grouped-problems.js';
import { type LoadedFleet, withFleetVariables } from '../table/check-fleet.js';
import { fleetFileName } from '../table/fleet-paths.js';
import { unresolvedPlaceholder, knownNames } from '../table/site-problems.js';
import { withoutNameFaults } from '../table/site-row.js';
import type { SiteRow } from '../table/site-table.js';
import { type Traced, scalarText, tracedAt } from '../../formats/yaml/traced.js';

/** A site with the address of its BMC and the way to verify the BMC's certificate. */
export interface BootSite {
  readonly name: string;
  readonly address: BmcAddress;
  readonly trust: BmcTrust;
  /** From boot.username and boot.password. */
  readonly user?: BmcUser;
  /** Place of the address, usually a cell of the table. */
  readonly at: Place;
  /** Place of the certificate fingerprint; without a fingerprint, place of the address. */
  readonly trustAt: Place;
}

/** The evaluated `boot` block of fleet.yaml. */
export interface BootTargets {
  /** Path relative to the folder of fleet.yaml. */
  readonly credentials?: string;
  readonly sites: readonly BootSite[];
}

/**
 * BMC addresses of the sites. Problems, each at its cell: boot/missing, boot/address, boot/certificate, boot/password,
 * boot/authorities, fleet/variable, fleet/shared-value.
 */
export function bootTargets(read: LoadedFleet, fleetInputs: Inputs): Result<BootTargets> {
  const { found, ...block } = judgedBlock(read, fleetInputs);
  return found.length === 0 ? success(block) : failure(...found.map(({ problem: each }) => each));
}

/**
 * Problems of the `boot` block. Without a `boot` block, only ClusterInstances that share a BMC are reported. Problems: those of `bootTargets`.
 */
export function bootFaults(read: LoadedFleet, fleetInputs: Inputs): readonly FleetProblem[] {
  return read.fleet.boot === undefined ? sharedMachines(read) : judgedBlock(read, fleetInputs).found;
}

interface JudgedBlock extends BootTargets {
  readonly found: readonly FleetProblem[];
}

function judgedBlock(read: LoadedFleet, fleetInputs: Inputs): JudgedBlock {
  const { fleet, rows, table } = read;
  const ofFleet = [...passwordColumns(read), ...loginFaults(read)].map(fleetWide);
  if (fleet.boot === undefined) return { sites: [], found: [fleetWide(noBlock()), ...ofFleet] };
  const file = fleetInputs.read(fleetFileName);
  const template = {
    file: fleetFileName,
    text: file.kind === 'file' ? (decodeUtf8(file.bytes) ?? '') : '',
  };
  const authorities = authoritiesOf(read, fleetInputs);
  if (!authorities.ok)
    return {
      sites: [],
      found: [...authorities.problems.map(fleetWide), ...ofFleet],
    };
  const found = new GroupedProblems();
  const machines = new Machines();
  const [selected, sites] = [new Set(rows), [] as BootSite[]];
  let credentials: string | undefined;
  // Sites outside of --only are read too, since they may share a BMC with a selected site.
  for (const row of table.rows) {
    const { root, faults } = expandDocument(fleet.boot, template, withFleetVariables(row, fleet).variables);
    credentials ??= scalarText(tracedAt(root, ['credentials']));
    const ofRow = faults.map((fault) => unresolvedPlaceholder(fault, knownNames(fleet, table)));
    const site = faults.length > 0 ? failure(...ofRow) : siteOf(row, root, authorities.value);
    const clashes = site.ok ? machines.add(site.value) : [];
    if (!selected.has(row)) continue;
    found.add(row.name, withoutNameFaults(row, [...problemsOf(site), ...clashes]));
    if (site.ok) sites.push(site.value);
  }
  return {
    sites,
    ...(credentials !== undefined && { credentials }),
    found: [...ofFleet, ...found.list()],
  };
}

function noBlock(): Problem {
  const hint = 'add "boot:" with "address: ${bmc}" below it; example in docs/fleet-boot.md';
  return problem('boot/missing', 'boot is missing in fleet.yaml', {
    at: { file: fleetFileName },
    hint,
  });
}

/** Rejects columns for passwords: the table is kept in Git as plain text. */
function passwordColumns({ table }: LoadedFleet): readonly Problem[] {
  return [...table.columns]
    .filter(([name]) => /passw(?:or)?d|passphrase|passwort/i.test(name))
    .map(([, at]) =>
      problem('boot/password', 'passwords are not allowed in the site table', {
        at,
        hint: 'put BMC passwords into an encrypted file and set boot.credentials in fleet.yaml to its path, or use a secret with a command',
      }),
    );
}

/** Problems: boot/password, boot/credentials. */
function loginFaults({ fleet }: LoadedFleet): readonly Problem[] {
  const { boot, secrets } = fleet;
  const [username, password, credentials] = ['username', 'password', 'credentials'].map(
    (field) => boot && nodeAt(boot, [field]),
  );
  const given = username ?? password;
  if (given === undefined) return [];
  const at = { file: fleetFileName, path: 'boot.password', ...(password ?? given).span };
  if (username === undefined || password === undefined || credentials !== undefined) {
    const hint = 'set both boot.username and boot.password, or only boot.credentials';
    const message =
      credentials === undefined
        ? `boot.${username === undefined ? 'username' : 'password'} is missing`
        : 'boot.credentials is set together with boot.username or boot.password';
    return [problem('boot/credentials', message, { at, hint })];
  }
  const text = password.kind === 'scalar' ? password.text : '';
  const isSecret = /^\$\{[^}]*\}$/.test(text) && variableNamesIn(text).every((name) => secrets.has(name));
  if (isSecret) return [];
  const hint = 'add a secret with a command to fleet.yaml, and write "${…}" with its name';
  return [problem('boot/password', 'boot.password is not the placeholder of a secret', { at, hint })];
}

function authoritiesOf({ fleet }: LoadedFleet, inputs: Inputs): Result<Pick<BmcTrust, 'authoritiesPem'>> {
  const entry = fleet.boot?.kind === 'map' && fleet.boot.entries.find(({ key }) => key === 'authorities');
  if (!entry || entry.value.kind !== 'scalar') return success({});
  const read = inputs.read(entry.value.text);
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : undefined;
  if (text?.includes('-----BEGIN CERTIFICATE-----') === true) return success({ authoritiesPem: text });
  return failure(
    problem('boot/authorities', 'the boot.authorities file contains no PEM certificate', {
      at: { file: fleetFileName, path: 'boot.authorities', ...entry.value.span },
    }),
  );
}

function siteOf(row: SiteRow, root: Traced, authorities: Pick<BmcTrust, 'authoritiesPem'>): Result<BootSite> {
  const written = textAt(root, 'address', row.at);
  const certificate = textAt(root, 'certificate', written.at);
  const address = parseBmcAddress(written.text ?? '');
  const hint = 'for example https://192.0.2.10 or redfish-virtualmedia://192.0.2.10/redfish/v1/Systems/1';
  if ('fault' in address)
    return failure(problem('boot/address', `this ${address.fault}`, { at: written.at, hint }));
  const isPlain = scalarText(tracedAt(root, ['plainHttp'])) === 'true';
  if (address.origin.startsWith('http:') && !isPlain)
    return failure(
      problem('boot/address', 'the BMC address uses http, which sends the password unencrypted', {
        at: written.at,
        hint: 'use https, or set boot.plainHttp: true in fleet.yaml',
      }),
    );
  const fingerprint = certificate.text === undefined ? undefined : fingerprintIn(certificate.text);
  if (certificate.text !== undefined && fingerprint === undefined)
    return failure(
      problem('boot/certificate', 'boot.certificate is not a SHA-256 fingerprint (64 hexadecimal digits)', {
        at: certificate.at,
        hint: 'print it with `fleet boot --check` or `openssl x509 -noout -fingerprint -sha256`',
      }),
    );
  const trust = { ...authorities, ...(fingerprint !== undefined && { fingerprint }) };
  const [username, password] = ['username', 'password'].map((field) => textAt(root, field, written.at).text);
  const user = username !== undefined &&
    password !== undefined && { user: { name: username, password: new Redacted(password) } };
  return success({ name: row.name, address, trust, at: written.at, trustAt: certificate.at, ...user });
}

function textAt(
  root: Traced,
  field: string,
  otherwise: Place,
): { readonly text?: string; readonly at: Place } {
  const node = tracedAt(root, [field]);
  const text = scalarText(node);
  const at = node === undefined ? otherwise : (node.origin.cell ?? node.origin.at);
  return text === undefined || text === '' ? { at } : { text, at };
}

/** Accepts the digits with or without the prefix `sha256:`, and with or without the colons of openssl. */
function fingerprintIn(text: string): string | undefined {
  const digits = text
    .replace(/^sha-?256(?: fingerprint)?[:=]/i, '')
    .replaceAll(':', '')
    .toLowerCase();
  return /^[0-9a-f]{64}$/.test(digits) ? digits : undefined;
}

/** A site with the address of its BMC and the place of that address. */
interface MachineOfSite {
  readonly name: string;
  readonly address: BmcAddress;
  readonly at: Place;
}

/** Detects sites that use the same BMC and system. Problems: fleet/shared-value. */
class Machines {
  readonly #byOrigin = new Map<string, MachineOfSite[]>();

  /** Adds a site and reports an earlier site that has the same machine. */
  add(site: MachineOfSite): readonly Problem[] {
    const { address, at } = site;
    const others = this.#byOrigin.get(address.origin) ?? [];
    const earlier = others.find((each) => isSameMachine(each.address, address));
    this.#byOrigin.set(address.origin, [...others, site]);
    if (earlier === undefined) return [];
    const isNamed = address.system === earlier.address.system;
    const message = `this BMC is already used by the site ${earlier.name}`;
    const hint = isNamed
      ? 'use a different value for each site'
      : 'if one BMC serves several machines, end each address with its system: …/redfish/v1/Systems/1';
    return [problem('fleet/shared-value', message, { at, hint })];
  }
}

/** ClusterInstances that share a BMC, in a fleet without a `boot` block. Problems: fleet/shared-value. */
function sharedMachines({ table, rows }: LoadedFleet): readonly FleetProblem[] {
  const found = new GroupedProblems();
  const machines = new Machines();
  const selected = new Set(rows);
  for (const row of table.rows) {
    const { name, bmc } = row;
    const address = bmc && parseBmcAddress(bmc.text);
    if (bmc === undefined || address === undefined || 'fault' in address) continue;
    const clashes = machines.add({ name, address, at: bmc.at });
    if (selected.has(row)) found.add(name, clashes);
  }
  return found.list();
}
