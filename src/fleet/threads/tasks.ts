import type { Problem } from '../../core/problem.js';
import type { Variables } from '../../disk/environment.js';
import type { SiteResult } from '../build/build-site.js';
import type { SiteOptions } from '../build/site-options.js';
import type { CertificateReaderOptions } from '../certificates/certificate-reader.js';
import type { SiteCertificates } from '../certificates/site-certificates.js';
import type { ComparedSite, SitePair } from '../review/compare-fleets.js';
import type { GoldenSite } from '../review/golden-site.js';
import type { ComparedItem, SiteOutputsComparison } from '../review/outputs/compare-outputs.js';
import type { CompareOutputsOptions } from '../review/outputs/outputs-sides.js';
import type { RenderedSite, RendererOptions } from '../review/outputs/site-renderer.js';
import type { ReviewOptions } from '../review/reopen-fleet.js';
import type { RenderedSheet } from '../review/sheet-renderer.js';
import type { SiteRow } from '../table/site-row.js';

/** Types of a task: the data that all its items share, an item, and the result for an item. Threads get and return copies. */
interface Task<Order, Item, Done> {
  readonly order: Order;
  readonly item: Item;
  readonly done: Done;
}

/** The tasks of worker threads by name; thread-task.ts implements them. */
export interface ThreadTasks {
  readonly make: Task<SiteOptions, SiteRow, SiteResult>;
  readonly judge: Task<ReviewOptions, SiteRow, readonly Problem[]>;
  readonly golden: Task<ReviewOptions, SiteRow, GoldenSite>;
  readonly compare: Task<readonly [before: ReviewOptions, after: ReviewOptions], SitePair, ComparedSite>;
  readonly certificates: Task<CertificateReaderOptions, string, SiteCertificates>;
  readonly sheet: Task<ReviewOptions, SiteRow, RenderedSheet>;
  readonly render: Task<RendererOptions, string, RenderedSite>;
  readonly 'compare-outputs': Task<CompareOutputsOptions, ComparedItem, SiteOutputsComparison>;
  readonly 'compare-media': Task<ComparedFleet, undefined, MediaComparison>;
}

export type TaskName = keyof ThreadTasks;

/** A task with its data. */
export interface TaskOptions<Name extends TaskName> {
  readonly task: Name;
  readonly order: ThreadTasks[Name]['order'];
}

/** Processes one item. */
export type TaskFunction<Name extends TaskName> = (
  item: ThreadTasks[Name]['item'],
) => Promise<ThreadTasks[Name]['done']>;

/** The media of a fleet that `fleet status` does not call up to date. */
export interface MediaComparison {
  /** Status in words, by the resolved folder of the site. */
  readonly outdated: ReadonlyMap<string, string>;
  /** Why the fleet could not be read. */
  readonly fault?: string;
}

/** The fleet whose media are compared. */
export interface ComparedFleet {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly variables: Variables;
  readonly present: Date;
}
