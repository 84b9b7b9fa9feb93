/** Key, namespace and time of a signature to check. */
export interface SignerQuery {
  readonly publicBlob: Buffer;
  readonly namespace: string;
  readonly at: Date;
  /** Required owner of the key; absent: any principal in the file. */
  readonly principal?: string;
}

/** Principals of the matching line, or the reason why no line allows the key. */
export type SignerResult =
  | { readonly ok: true; readonly principals: string }
  /** Reason, as the end of a sentence, and its line, from 1. */
  | { readonly ok: false; readonly fault: string; readonly line?: number };

/**
 * Looks up a key in an allowed signers file as `ssh-keygen -Y verify` does: the first line that allows it wins, invalid lines are
 * skipped. If none allows it, reports the reason from the last line about this key.
 * Source: ssh-keygen(1), ALLOWED SIGNERS, and openssh-portable sshsig.c
 */
export function findSigner(text: string, question: SignerQuery): SignerResult {
  let refusal: SignerResult = { ok: false, fault: 'its key is not among the allowed signers' };
  for (const [index, line] of text.split('\n').entries()) {
    const answer = matchLine(line.replace(/\r$/, ''), question);
    if (answer === undefined) continue;
    if (answer.ok) return answer;
    refusal = { ...answer, line: index + 1 };
  }
  return refusal;
}

/** Result of one line; undefined if the line is not about this key. */
function matchLine(line: string, question: SignerQuery): SignerResult | undefined {
  const text = line.replace(/^[ \t]+/, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const split = /^(?:"([^"]*)"|([^ \t"]+))(?:[ \t]+(.*))?$/.exec(text);
  if (split === null) return refused('the principals are not closed by a quote');
  const [, quotedNames, names = quotedNames ?? '', rest = ''] = split;
  const { principal } = question;
  if (principal !== undefined && !matchesPatterns(principal, names)) return undefined;
  const parsed = keyAndOptions(rest);
  if (typeof parsed === 'string') return refused(parsed);
  const { blob, options } = parsed;
  // A CA key in the file does not sign by itself.
  if (options.isAuthority || !blob.equals(question.publicBlob)) return undefined;
  return refusalBy(options, question) ?? { ok: true, principals: names };
}

function refused(fault: string): SignerResult {
  return { ok: false, fault };
}

function refusalBy(options: SignerOptions, { namespace, at }: SignerQuery): SignerResult | undefined {
  const { namespaces, validAfter, validBefore } = options;
  if (namespaces !== undefined && !matchesPatterns(namespace, namespaces))
    return { ok: false, fault: `its key may not sign for ${namespace}` };
  if (validAfter !== undefined && at < validAfter) return { ok: false, fault: 'its key is not valid yet' };
  return validBefore !== undefined && at > validBefore
    ? { ok: false, fault: 'its key is no longer valid' }
    : undefined;
}

/** Parses the text after the principals: optional options, then the key. Returns a string on failure. */
function keyAndOptions(rest: string): { readonly blob: Buffer; readonly options: SignerOptions } | string {
  const alone = keyIn(rest);
  if (alone !== undefined) return { blob: alone, options: { isAuthority: false } };
  const [optionText = ''] = /^(?:[^ \t"]|"(?:\\"|[^"])*")*/.exec(rest) ?? [];
  const blob = keyIn(rest.slice(optionText.length).replace(/^[ \t]+/, ''));
  if (blob === undefined) return 'it contains no public key';
  const options = readSignerOptions(optionText);
  return typeof options === 'string' ? options : { blob, options };
}

/** Reads a key type and a base64 blob, which must contain the same type. */
function keyIn(text: string): Buffer | undefined {
  const [, type = '', base64 = ''] =
    /^([a-z][\w@.-]*)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]|$)/.exec(text) ?? [];
  const blob = Buffer.from(base64, 'base64');
  if (blob.length < 4) return undefined;
  const inner = blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1');
  return inner === type ? blob : undefined;
}

/** Options of a line in an allowed signers file. */
interface SignerOptions {
  readonly isAuthority: boolean;
  /** Patterns separated by commas. */
  readonly namespaces?: string;
  readonly validAfter?: Date;
  readonly validBefore?: Date;
}

/** Returns a string on failure. Source: openssh-portable auth-options.c and sshsig.c, sshsigopt_parse */
function readSignerOptions(text: string): SignerOptions | string {
  const given = new Map<string, string>();
  let isAuthority = false;
  let rest = text;
  for (;;) {
    const found = /^(?:(cert-authority)|(namespaces|valid-after|valid-before)="((?:\\"|[^"])*)")(,|$)/i.exec(
      rest,
    );
    if (found === null) return 'it has an option that is not known, or not in quotes';
    const [all, authority, name = '', value = '', comma] = found;
    if (authority === undefined) {
      if (given.has(name.toLowerCase())) return `${name.toLowerCase()} stands twice`;
      given.set(name.toLowerCase(), value.replaceAll('\\"', '"'));
    } else isAuthority = true;
    rest = rest.slice(all.length);
    if (comma === '') break;
  }
  return withTimes(isAuthority, given);
}

function withTimes(isAuthority: boolean, given: ReadonlyMap<string, string>): SignerOptions | string {
  const [after, before] = ['valid-after', 'valid-before'].map((name) => {
    const value = given.get(name);
    return value === undefined ? undefined : timeOf(value);
  });
  if (after === null || before === null) return 'a time is not written as YYYYMMDD[HHMM[SS]][Z]';
  if (after && before && before <= after) return 'valid-before is not after valid-after';
  const namespaces = given.get('namespaces');
  return {
    isAuthority,
    ...(namespaces !== undefined && { namespaces }),
    ...(after && { validAfter: after }),
    ...(before && { validBefore: before }),
  };
}

/** Local time, or UTC with a `Z` suffix. Source: ssh-keygen(1), ALLOWED SIGNERS */
function timeOf(text: string): Date | null {
  const found = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z|UTC)?$/i.exec(text);
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return null;
  const time =
    found[7] === undefined
      ? new Date(year, month - 1, day, hour, minute, second)
      : new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // ssh-keygen rejects 1970-01-01 and earlier (openssh-portable misc.c, parse_absolute_time); Date takes year 70 as 1970.
  return year < 100 || time.getTime() <= 0 ? null : time;
}

/**
 * Matches a text against patterns separated by commas. `*` matches any text, `?` any character. A text that matches a pattern after `!`
 * does not match the list. Source: ssh_config(5), PATTERNS
 */
function matchesPatterns(text: string, patterns: string): boolean {
  const all = patterns.split(',');
  const isRefused = all.some((each) => each.startsWith('!') && matches(text, each.slice(1)));
  return !isRefused && all.some((each) => !each.startsWith('!') && matches(text, each));
}

/** Backtracks only to the last `*`, so the time is at most proportional to the product of both lengths. */
function matches(text: string, pattern: string): boolean {
  let [at, inPattern] = [0, 0];
  let back: { readonly at: number; readonly inPattern: number } | undefined;
  while (at < text.length) {
    const sign = pattern[inPattern];
    if (sign === '*') {
      back = { at, inPattern };
      inPattern += 1;
    } else if (sign === '?' || sign === text[at]) {
      [at, inPattern] = [at + 1, inPattern + 1];
    } else if (back === undefined) {
      return false;
    } else {
      back = { ...back, at: back.at + 1 };
      [at, inPattern] = [back.at, back.inPattern + 1];
    }
  }
  return /^\**$/.test(pattern.slice(inPattern));
}
