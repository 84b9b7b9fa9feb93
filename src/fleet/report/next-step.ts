import { shellWord } from '../../formats/shell-word.js';
import type { SiteDownload } from '../../serve/site-downloads.js';
import type { BootedSite } from '../boot/boot-record.js';
import type { BundleFinding } from '../rollout/bundle-findings.js';
import type { RolloutSite, RolloutState } from '../rollout/rollout-state.js';
import type { NodeReportText } from '../wait/node-report-texts.js';

/** Signs of life of a site. */
export interface SiteFacts {
  readonly name: string;
  /** Its place in the newest rollout, reinstallation or upgrade. */
  readonly rollout?: RolloutSite & Pick<RolloutState, 'operation' | 'until'>;
  readonly boot?: Pick<BootedSite, 'state' | 'updatedAt'>;
  /** Its requests to `serve`. */
  readonly medium?: SiteDownload;
  /** The last report of the node since its boot. */
  readonly node?: NodeReportText;
  readonly api: { readonly isReached: boolean; readonly message: string };
  /** Absent if the BMC was not contacted. */
  readonly bmc?: { readonly isFault: boolean; readonly message: string };
  /** The log bundle from after its start. */
  readonly bundle?: BundleFinding;
}

export interface NextStep {
  readonly status: 'installed' | 'waiting' | 'failed';
  /** Why, on one line. */
  readonly reason: string;
  readonly next: string;
  /** The command of the step, to be pasted. */
  readonly command?: string;
}

export interface StepPlaces {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  /** The output folder of the site. */
  readonly outputs: string;
  /** Name or address of the node for SSH. */
  readonly host: string;
  readonly now: Date;
}

/** A BMC requests the medium in seconds, and a machine starts from it within minutes. */
const silentMs = 15 * 60 * 1000;

const isLong = (from: string, now: Date): boolean => now.getTime() - Date.parse(from) > silentMs;

/** Decides from the latest sign of life of a site: API, log bundle, node report, medium, boot. */
export function nextStep(facts: SiteFacts, places: StepPlaces): NextStep {
  const { rollout, bundle, node, api } = facts;
  if (api.isReached) return installed(facts, places);
  if (bundle?.finding !== undefined)
    return {
      status: 'failed',
      reason: bundle.finding,
      next: 'correct the cause that the analysis names, then install the site again',
      command: `sno-install analyze ${shellWord(bundle.path)}`,
    };
  if (node?.isFailing === true)
    return { status: 'failed', reason: `the node reports: ${node.message}`, ...logs(places) };
  if (node === undefined && rollout?.operation !== 'upgrade') {
    const early = beforeFirstReport(facts, places);
    if (early !== undefined) return early;
  }
  if (rollout?.state === 'failed')
    return { status: 'failed', reason: rollout.cause ?? api.message, ...logs(places) };
  return { status: 'waiting', reason: node?.message ?? api.message, next: 'wait' };
}

function installed({ name, rollout, api }: SiteFacts, { dir }: StepPlaces): NextStep {
  const done = { status: 'installed', reason: api.message } as const;
  // Another `fleet reinstall` would install the site again.
  if (rollout?.state !== 'failed' || rollout.operation === 'reinstall') return { ...done, next: 'nothing' };
  const command =
    rollout.operation === 'boot'
      ? `fleet rollout ${only(dir, name)} --media urls.json`
      : `fleet upgrade ${only(dir, name)} --to ${shellWord(rollout.until)}`;
  return {
    ...done,
    next: 'run it again with --retry-failed, which only waits for the site',
    command: `sno-install ${command} --retry-failed`,
  };
}

/** What keeps the node from its first report; undefined if it may still send it. */
function beforeFirstReport(facts: SiteFacts, places: StepPlaces): NextStep | undefined {
  const { name, boot, medium, bmc, rollout } = facts;
  const { dir, now } = places;
  const bootedAt = boot?.updatedAt ?? medium?.lastAt;
  if (bootedAt === undefined) {
    if (bmc?.isFault === true)
      return {
        status: 'failed',
        reason: `the BMC: ${bmc.message}`,
        next: 'correct the BMC or its entry in fleet.yaml, and check it',
        command: `sno-install fleet boot ${only(dir, name)} --check`,
      };
    if (rollout === undefined || rollout.state === 'pending' || rollout.state === 'held')
      return {
        status: 'waiting',
        reason: 'no command has booted the site',
        next: 'boot it with its rollout',
      };
    return undefined;
  }
  const again = `sno-install fleet boot ${only(dir, name)} --again --media urls.json`;
  const isOfBoot = medium !== undefined && medium.lastAt >= bootedAt;
  if (medium === undefined || !isOfBoot) {
    if (!isLong(bootedAt, now)) return undefined;
    return {
      status: 'failed',
      reason: `booted at ${bootedAt}, and its medium was not requested from \`serve\` since`,
      next: 'check the route from the BMC to the server, and its boot source; then boot it again',
      command: again,
    };
  }
  const { sentBytes, mediumBytes, lastFile, lastAt } = medium;
  if (!isLong(lastAt, now)) return undefined;
  if (sentBytes < mediumBytes)
    return {
      status: 'failed',
      reason: `${Math.floor((100 * sentBytes) / mediumBytes)} % of its medium was sent, the last part at ${lastAt}`,
      next: 'check the network between BMC and server; then boot it again',
      command: again,
    };
  return {
    status: 'failed',
    reason: `its medium was sent (${lastFile} at ${lastAt}), and the node has not reported since`,
    next: 'look at the console of the machine: without a network, the live system cannot report; collect its logs if it has one',
    command: logs(places).command,
  };
}

function logs({ outputs, host }: StepPlaces): { readonly next: string; readonly command: string } {
  return {
    next: 'collect the logs, then run this report again for the finding',
    command: `sno-install gather --dir ${shellWord(outputs)} --bootstrap ${shellWord(host)}`,
  };
}

function only(dir: string, name: string): string {
  return `${shellWord(dir)} --only ${shellWord(name)}`;
}
