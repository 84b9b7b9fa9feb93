/** Who is asked for. */
export interface SignerQuestion {
  readonly publicBlob: Buffer;
  readonly namespace: string;
  readonly at: Date;
  /** Whose key it is to be; anybody's of the file where there is none. */
  readonly principal?: string;
}

/** Whose key it is, by the line that says so. */
export type SignerAnswer =
  | { readonly ok: true; readonly principals: string }
  /** The end of a sentence, and the line (from 1) that it is about. */
  | { readonly ok: false; readonly fault: string; readonly line?: number };

/**
 * Looks for a key in a file of allowed signers as `ssh-keygen -Y verify` does: the first line that allows it decides, lines that cannot be
 * read are passed over; where none allows it, the last that is about it says why. Source: ssh-keygen(1), ALLOWED SIGNERS, and openssh-portable sshsig.c
 */
export function findSigner(text: string, question: SignerQuestion): SignerAnswer {
  let refusal: SignerAnswer = { ok: false, fault: 'its key is not among the allowed signers' };
  for (const [index, line] of text.split('\n').entries()) {
    const answer = answerOf(line.replace(/\r$/, ''), question);
    if (answer === undefined) continue;
    if (answer.ok) return answer;
    refusal = { ...answer, line: index + 1 };
  }
  return refusal;
}

/** What a line says of the key; undefined of one that says nothing of it. */
function answerOf(line: string, question: SignerQuestion): SignerAnswer | undefined {
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
  // The key of an authority is nobody's own.
  if (options.isAuthority || !blob.equals(question.publicBlob)) return undefined;
  return refusalBy(options, question) ?? { ok: true, principals: names };
}

function refused(fault: string): SignerAnswer {
  return { ok: false, fault };
}

function refusalBy(options: SignerOptions, { namespace, at }: SignerQuestion): SignerAnswer | undefined {
  const { namespaces, validAfter, validBefore } = options;
  if (namespaces !== undefined && !matchesPatterns(namespace, namespaces))
    return { ok: false, fault: `its key may not sign for ${namespace}` };
  if (validAfter !== undefined && at < validAfter) return { ok: false, fault: 'its key is not valid yet' };
  return validBefore !== undefined && at > validBefore
    ? { ok: false, fault: 'its key is no longer valid' }
    : undefined;
}

/** The key behind the principals, before which options may stand; else what is wrong. */
function keyAndOptions(rest: string): { readonly blob: Buffer; readonly options: SignerOptions } | string {
  const alone = keyIn(rest);
  if (alone !== undefined) return { blob: alone, options: { isAuthority: false } };
  const [optionText = ''] = /^(?:[^ \t"]|"(?:\\"|[^"])*")*/.exec(rest) ?? [];
  const blob = keyIn(rest.slice(optionText.length).replace(/^[ \t]+/, ''));
  if (blob === undefined) return 'there is no public key in it';
  const options = readSignerOptions(optionText);
  return typeof options === 'string' ? options : { blob, options };
}

/** A type and a key in base64, whose own type is the same. */
function keyIn(text: string): Buffer | undefined {
  const [, type = '', base64 = ''] =
    /^([a-z][\w@.-]*)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]|$)/.exec(text) ?? [];
  const blob = Buffer.from(base64, 'base64');
  if (blob.length < 4) return undefined;
  const inner = blob.subarray(4, 4 + blob.readUInt32BE(0)).toString('latin1');
  return inner === type ? blob : undefined;
}

/** What a line of allowed signers says before its key. */
interface SignerOptions {
  readonly isAuthority: boolean;
  /** Patterns, parted by commas. */
  readonly namespaces?: string;
  readonly validAfter?: Date;
  readonly validBefore?: Date;
}

/** The options of a line, or what is wrong with them. Source: openssh-portable auth-options.c and sshsig.c, sshsigopt_parse */
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

/** A time of the machine's own zone, or of UTC with `Z` behind it. Source: ssh-keygen(1), ALLOWED SIGNERS */
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
  // ssh-keygen refuses 1970-01-01 and earlier (openssh-portable misc.c, parse_absolute_time); Date takes 70 for 1970.
  return year < 100 || time.getTime() <= 0 ? null : time;
}

/**
 * Whether a text matches a list of patterns, parted by commas: `*` is any text, `?` any character, and what matches a pattern behind `!`
 * does not match the list. Source: ssh_config(5), PATTERNS
 */
function matchesPatterns(text: string, patterns: string): boolean {
  const all = patterns.split(',');
  const isRefused = all.some((each) => each.startsWith('!') && matches(text, each.slice(1)));
  return !isRefused && all.some((each) => !each.startsWith('!') && matches(text, each));
}

/** Takes time in proportion to the product of both: it goes back to the last `*` alone. */
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
