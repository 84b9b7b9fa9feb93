import { gunzipSync } from 'node:zlib';

interface Resource {
  readonly source: string;
  readonly compression?: string;
}

export interface Config {
  readonly ignition: { readonly version: string; readonly config?: { readonly merge?: readonly Resource[] } };
  readonly storage: {
    readonly directories: readonly { readonly path: string; readonly mode: number }[];
    readonly files: readonly { readonly path: string; readonly mode: number; readonly contents: Resource }[];
  };
  readonly systemd: { readonly units: readonly { readonly name: string; readonly contents?: string }[] };
}

/** An Ignition config with the contents of each file as latin1 text. */
export function readIgnition(text: string): {
  readonly config: Config;
  readonly files: readonly { readonly path: string; readonly mode: number; readonly text: string }[];
} {
  const config = JSON.parse(text) as Config;
  const files = config.storage.files.map(({ path, mode, contents }) => ({
    path,
    mode,
    text: bytesOf(contents).toString('latin1'),
  }));
  return { config, files };
}

/** The configs that a config merges. */
readIgnition.merged = ({ ignition }: Config): readonly unknown[] =>
  (ignition.config?.merge ?? []).map((resource) => JSON.parse(bytesOf(resource).toString('utf8')) as unknown);

function bytesOf({ source, compression }: Resource): Buffer {
  const comma = source.indexOf(',');
  const data = source.slice(comma + 1);
  const bytes = source.slice(0, comma).endsWith(';base64')
    ? Buffer.from(data, 'base64')
    : Buffer.from(decodeURIComponent(data));
  return compression === 'gzip' ? gunzipSync(bytes) : bytes;
}
