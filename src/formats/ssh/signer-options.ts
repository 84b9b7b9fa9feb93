/** What a line of allowed signers says before its key. */
export interface SignerOptions {
  readonly isAuthority: boolean;
  /** Patterns, parted by commas. */
  readonly namespaces?: string;
  readonly validAfter?: Date;
  readonly validBefore?: Date;
}

/** The options of a line, or what is wrong with them. Source: openssh-portable auth-options.c and sshsig.c, sshsigopt_parse */
export function readSignerOptions(text: string): SignerOptions | string {
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
  return found[7] === undefined
    ? new Date(year, month - 1, day, hour, minute, second)
    : new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}
