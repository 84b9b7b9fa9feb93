/** The headers of a request that say under which condition it is meant; names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What conditions of a request come to: go on, say that nothing has changed (304), or that what was meant is no longer there (412). */
export type Condition = 'go-on' | 'not-modified' | 'failed';

/**
 * What `If-Match` and `If-None-Match` say of a file with a strong entity tag, with its quotes. Times are not given, so conditions on
 * them never hold. Source: RFC 9110 §13.1 and §13.2.2
 */
export function conditionOf(headers: RequestHeaders, etag: string): Condition {
  const [match, noneMatch] = [textOf(headers['if-match']), textOf(headers['if-none-match'])];
  if (match !== undefined && !tagsIn(match).some((tag) => tag === '*' || tag === etag)) return 'failed';
  const isKnown =
    noneMatch !== undefined &&
    tagsIn(noneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
  return isKnown ? 'not-modified' : 'go-on';
}

/** Whether a range is wanted of just this file: no `If-Range`, or one with its tag (RFC 9110 §13.1.5, strong comparison). */
export function isRangeMeant(headers: RequestHeaders, etag: string): boolean {
  const condition = textOf(headers['if-range']);
  return condition === undefined || condition.trim() === etag;
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(',');
}

function tagsIn(list: string): readonly string[] {
  return [...list.matchAll(/\*|(?:W\/)?"[^"]*"/g)].map(([tag]) => tag);
}
