// The units that the installation adds to the live system and to the installed node, read from their files.
import { readFileSync, readdirSync } from 'node:fs';

import { catalog, templateOf } from '../../../.cache/modules/node/live/live-catalog.js';
import {
  nodeFilesList,
  parseNodeFilesList,
} from '../../../.cache/modules/manifests/enrich/node-files-list.js';
import { servicesOf } from '../../../.cache/modules/analysis/stages.js';

/**
 * The units of a phase, each with its name, a flag for drop-ins of system units, and a function for the values of a key. Units
 * outside the startup order come first, then the others in that order.
 */
export function unitsOf(phase) {
  const units = [...(phase === 'live' ? liveUnits() : nodeUnits()), ...payloadUnits(phase), localDns()];
  const services = servicesOf(phase).map(({ service }) =>
    units.find(({ name }) => shortName(name) === service),
  );
  const inTurn = new Set(services.flatMap((unit) => [...earlierThan(unit, units), unit]));
  return [...units.filter((unit) => !inTurn.has(unit)), ...inTurn];
}

/** The unit name without `.service`, as systemctl accepts it. */
export function shortName(name) {
  return name.replace(/\.service$/, '');
}

/** What starts the unit in this phase: `boot`, units and generators, by name, with a flag if they require it. */
export function startersOf({ name, values }, units) {
  const isWanted = (other) => ['Wants', 'Requires'].some((key) => other.values(key).includes(name));
  const boot = values('WantedBy').includes('multi-user.target') ? ['boot'] : [];
  const generators = generatorPaths.filter((path) => liveText(path).includes(name));
  const wanting = [
    ...boot,
    ...units.filter(isWanted).map((other) => other.name),
    ...generators.map(fileName),
  ];
  return [
    ...values('RequiredBy').map((each) => ({ name: each, isRequiring: true })),
    ...wanting.map((each) => ({ name: each, isRequiring: false })),
  ];
}

export function fileName(path) {
  return path.split('/').at(-1);
}

/** The text of a file below templates/live. */
export function liveText(path) {
  return readFileSync(`templates/live/${path}`, 'utf8');
}

const generatorPaths = catalog
  .filter(({ path }) => path?.startsWith('/etc/systemd/system-generators/'))
  .map(templateOf);

function liveUnits() {
  return catalog.flatMap((entry) => {
    switch (entry.kind) {
      case 'file':
        return [];
      case 'unit':
        return [unitOf(entry.name, liveText(templateOf(entry)))];
      case 'drop-in':
        return [additionTo(entry.unit, liveText(templateOf(entry)))];
      case 'system-unit':
        return [additionTo(entry.name, '[Install]\nWantedBy=multi-user.target')];
      default:
        throw new Error(`internal error: unknown catalog entry of kind ${entry.kind}`);
    }
  });
}

function nodeUnits() {
  const rows = parseNodeFilesList(liveText(`opt/${nodeFilesList}`), nodeFilesList).value;
  const units = rows
    .filter(({ kind }) => kind === 'unit')
    .map(({ source, name }) => unitOf(name, liveText(`opt/${source}`)));
  return [...units, postInstall()];
}

/** The unit that exists only with post-install manifests. */
function postInstall() {
  const name = 'sno-post-install.service';
  return unitOf(name, readFileSync(`templates/post-install/installed/${name}`, 'utf8'));
}

/** The unit of `dns.local`, which runs in both phases. */
function localDns() {
  const name = 'dnsmasq.service';
  const unit = unitOf(name, readFileSync(`templates/local-dns/etc/systemd/system/${name}`, 'utf8'));
  return { ...unit, option: 'dns.local' };
}

/** The units of `payload`. On the installed node, the machine-config operator may write iri-registry.service. */
function payloadUnits(phase) {
  const folder = `templates/payload/${phase === 'live' ? 'etc/systemd/system' : 'installed/units'}`;
  return readdirSync(folder)
    .filter((name) => /\.service(\.tmpl)?$/.test(name))
    .map((name) => ({
      ...unitOf(
        name.replace(/\.tmpl$/, ''),
        readFileSync(`${folder}/${name}`, 'utf8').replace('@@mode@@', 'plain|overlay'),
      ),
      option: 'payload',
    }));
}

function additionTo(name, text) {
  return { ...unitOf(name, text), isAddition: true };
}

/** Keys whose value is a list of unit names. Source: systemd.unit(5) */
const listKeys = ['After', 'Before', 'RequiredBy', 'Requires', 'WantedBy', 'Wants'];

function unitOf(name, text) {
  const values = (key) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))]
      .flatMap(([, value]) => (listKeys.includes(key) ? value.split(' ') : [value]))
      .filter((value) => value !== '');
  return { name, values, isAddition: false };
}

/** The units of this installation that are ordered before a unit, earliest first. */
function earlierThan({ name, values }, units) {
  const earlier = units.filter(
    (other) => values('After').includes(other.name) || other.values('Before').includes(name),
  );
  return earlier.flatMap((other) => [...earlierThan(other, units), other]);
}
