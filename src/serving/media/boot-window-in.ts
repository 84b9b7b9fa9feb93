import { decodeDataUrl } from '../../formats/data-url.js';
import { parseJson } from '../../formats/json.js';
import { listAt, textAt } from '../../kube/fields.js';
import { envFilePath } from '../../node/live/live-env-file.js';

/** What a config of the live system says of itself, as far as it is one of ours. */
export interface LiveConfigFacts {
  /** When its certificates end: no machine installs itself with it after that. */
  readonly bootableUntil?: Date;
  /** As the install-config names it. */
  readonly architecture?: string;
}

/** Reads what a config of the live system says for the scripts on the node. */
export function liveConfigFacts(config: Uint8Array): LiveConfigFacts {
  const files = listAt(parseJson(Buffer.from(config).toString('utf8')), ['storage', 'files']);
  const file = files.find((each) => textAt(each, ['path']) === envFilePath);
  const text = decodeDataUrl(textAt(file, ['contents', 'source']) ?? '')?.toString('utf8') ?? '';
  const [, seconds] = /^SNO_NOT_AFTER='(\d{1,12})'$/m.exec(text) ?? [];
  const [, architecture] = /^SNO_EXPECTED_ARCH='(\w+)'$/m.exec(text) ?? [];
  return {
    ...(seconds !== undefined && { bootableUntil: new Date(Number(seconds) * 1000) }),
    ...(architecture !== undefined && { architecture }),
  };
}
