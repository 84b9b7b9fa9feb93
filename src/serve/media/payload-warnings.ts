import { problem, type Problem } from '../../core/problem.js';
import { count, firstSites } from '../../run/problem-text.js';

/** How the payload of a site relates to that of the server. */
export interface JudgedPayload {
  readonly site: string;
  /** `none`: neither has one. */
  readonly kind: 'served' | 'other' | 'not-served' | 'not-named' | 'none';
}

/** Names the sites whose media do not contain their payload. `path` is that of the server's. Warnings: payload/other, payload/not-on-medium. */
export function payloadWarnings(
  judged: readonly JudgedPayload[],
  path: string | undefined,
): readonly Problem[] {
  const sitesOf = (kind: JudgedPayload['kind']): string | undefined => {
    const names = judged.filter((each) => each.kind === kind).map(({ site }) => site);
    return names.length === 0 ? undefined : `${count(names.length, 'site')} (${firstSites(names)})`;
  };
  const [notServed, others, unnamed] = [sitesOf('not-served'), sitesOf('other'), sitesOf('not-named')];
  const found: (Problem | undefined)[] = [
    notServed === undefined
      ? undefined
      : problem('payload/not-on-medium', `the ISOs do not contain the payload of ${notServed}`, {
          hint: 'add --payload FILE, or attach disks with a partition named sno-payload',
        }),
    others === undefined
      ? undefined
      : {
          ...problem('payload/other', `${path ?? 'the payload'} is not the payload of ${others}`, {
            hint: 'their media are refused; set payload.file of these sites, or serve them from another server',
          }),
          severity: 'warning',
        },
    unnamed === undefined
      ? undefined
      : problem(
          'payload/not-on-medium',
          `the ISOs are served without ${path ?? 'the payload'} to ${unnamed}, whose configuration names no payload`,
          { hint: 'if they install from a payload, set payload.file in sno-config.yaml' },
        ),
  ];
  return found.filter((each) => each !== undefined);
}

/** Whether a site installs from a payload. */
export function hasPayloads(judged: readonly JudgedPayload[]): boolean {
  return judged.some(({ kind }) => kind === 'served' || kind === 'other' || kind === 'not-served');
}
