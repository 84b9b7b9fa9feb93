import { readdirSync } from 'node:fs';

import { decodeDataUrl } from '../../../src/formats/data-url.js';
import type { IgnitionConfig } from '../../../src/ignition/types.js';
import type { TargetName } from '../../../src/run/targets.js';
import { resolveFixtureTarget } from '../../support/made-from.js';

/** A text on a machine, and its place. */
export interface OutputText {
  readonly place: string;
  readonly text: string;
}

const configs = 'fixtures/configs';

/** Every text of every output of every target of the cases. Ignition configs are unpacked, and base64 in texts is decoded. */
export async function outputTexts(): Promise<readonly OutputText[]> {
  const all: OutputText[] = [];
  for (const name of readdirSync(configs)) {
    const made: readonly TargetName[] = name.startsWith('aio-')
      ? ['aio-ignition', 'aio-control-plane']
      : ['single-node-ignition-config', ...(name === 'render-installer' ? (['control-plane'] as const) : [])];
    for (const target of made) all.push(...(await textsOf(target, name)));
  }
  return all.flatMap(({ place, text }) => [{ place, text }, ...insideBase64(place, text)]);
}

async function textsOf(target: TargetName, name: string): Promise<readonly OutputText[]> {
  const made = await resolveFixtureTarget(target, name);
  return made.files.flatMap(({ path, contents }) => {
    const place = `${name}/${target}/${path}`;
    const text = Buffer.from(contents).toString('utf8');
    return path.endsWith('.ign') ? textsOfIgnition(place, text) : [{ place, text }];
  });
}

function textsOfIgnition(place: string, json: string): readonly OutputText[] {
  const { ignition, storage, systemd } = JSON.parse(json) as IgnitionConfig;
  const files = (storage?.files ?? []).flatMap(({ path, contents, append = [] }) =>
    [...(contents === undefined ? [] : [contents]), ...append].map(({ source }) => ({
      place: `${place}:${path}`,
      text: decodeDataUrl(source)?.toString('utf8') ?? source,
    })),
  );
  const units = (systemd?.units ?? []).flatMap(({ name, contents = '', dropins = [] }) => [
    { place: `${place}:${name}`, text: contents },
    ...dropins.map((dropin) => ({ place: `${place}:${name}:${dropin.name}`, text: dropin.contents })),
  ]);
  const sources = JSON.stringify(ignition).match(/data:[^"]+/g) ?? [];
  const fetched = sources.map((source) => ({
    place: `${place}:ignition`,
    text: decodeDataUrl(source)?.toString('utf8') ?? source,
  }));
  const forSystemd = [...files, ...units].map((each) =>
    /\/etc\/systemd\/|\.(service|timer|conf)$/.test(each.place)
      ? { ...each, text: unescaped(each.text) }
      : each,
  );
  return [{ place: `${place}:ignition`, text: JSON.stringify(ignition) }, ...fetched, ...forSystemd];
}

/** Expands `%%` like systemd; these texts have no other specifiers. Source: systemd.unit(5), Specifiers */
function unescaped(text: string): string {
  return text.replaceAll('%%', '%');
}

/** Kubeconfigs, Secrets and webhooks contain PEM and whole files in base64. */
function insideBase64(place: string, text: string): readonly OutputText[] {
  const runs = text.match(/[A-Za-z0-9+/]{40,}={0,2}/g) ?? [];
  return runs
    .map((run) => Buffer.from(run, 'base64').toString('utf8'))
    .filter((inside) => inside.includes('-----BEGIN ') || inside.includes('://'))
    .flatMap((inside) => [{ place: `${place} (base64)`, text: inside }, ...insideBase64(place, inside)]);
}

/** The PEM blocks of a text, unescaped from YAML or JSON. */
export function pemBlocksOf(text: string): readonly string[] {
  const blocks = text.match(/-----BEGIN ([A-Z ]+)-----(?:\s|\\n|[A-Za-z0-9+/=])+-----END \1-----/g) ?? [];
  return blocks.map((block) => `${block.replaceAll('\\n', '\n').replaceAll(/^[ \t]+/gm, '')}\n`);
}

/** The complete URLs of a text, without those that a script or template assembles. */
export function urlsOf(text: string): readonly string[] {
  const found = text.match(/\b(?:https?|unix|etcd|docker|wss?):\/\/[^\s"'`<>\\,|]+/g) ?? [];
  return found
    .map((url) => url.replace(/[).;:\]}]+$/, ''))
    .filter((url) => !/[${}*@]|%s|…|\/\/$/.test(url.replace(/^[a-z]+:\/\/[^/@${}]*@/, '')));
}
