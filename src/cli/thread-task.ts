import type { TaskOrder, ThreadTask } from '../run/threads/workers.js';
import type { SiteOrder } from '../fleet/making/site-order.js';
import type { CertificatesOrder } from '../fleet/review/certificates/fleet-certificates.js';
import type { CompareOutputsOrder } from '../fleet/review/outputs/outputs-sides.js';
import type { RenderOrder } from '../fleet/review/outputs/rendered-sites.js';
import type { ReviewOrder } from '../fleet/review/reopened-fleet.js';

type Task = (order: never) => Promise<(item: never) => Promise<unknown>>;

/** Task functions of worker threads. Modules are loaded on demand. */
const tasks: Record<ThreadTask, Task> = {
  make: async (order: SiteOrder) => {
    const { siteMaker } = await import('../fleet/making/make-site.js');
    return siteMaker(order);
  },
  judge: async (order: ReviewOrder) => {
    const { rehearsedJudge } = await import('../fleet/review/rehearsed-judge.js');
    const { makingOf, reopened } = await import('../fleet/review/reopened-fleet.js');
    return rehearsedJudge(reopened(order), order, makingOf(order));
  },
  golden: async (order: ReviewOrder) => {
    const { goldenMaker } = await import('../fleet/review/golden-fleet.js');
    const { makingOf, reopened } = await import('../fleet/review/reopened-fleet.js');
    const { ourTemplates } = await import('../run/sources/our-templates.js');
    return goldenMaker(reopened(order), ourTemplates(), makingOf(order));
  },
  compare: async ([before, after]: readonly [ReviewOrder, ReviewOrder]) => {
    const { siteComparer } = await import('../fleet/review/compare-fleets.js');
    const { makingOf, reopened } = await import('../fleet/review/reopened-fleet.js');
    return siteComparer([reopened(before), reopened(after)], makingOf(after));
  },
  certificates: async (order: CertificatesOrder) => {
    const { certificateReader } = await import('../fleet/review/certificates/fleet-certificates.js');
    return certificateReader(order);
  },
  render: async (order: RenderOrder) => {
    const { siteRenderer } = await import('../fleet/review/outputs/rendered-sites.js');
    const { ourTemplates } = await import('../run/sources/our-templates.js');
    return siteRenderer(order, ourTemplates());
  },
  'compare-outputs': async (order: CompareOutputsOrder) => {
    const { outputsComparer } = await import('../fleet/review/outputs/compare-made-sites.js');
    const { outputsOfSides } = await import('../fleet/review/outputs/outputs-sides.js');
    return outputsComparer(outputsOfSides(order));
  },
};

/** Returns the function that processes the items of a task. The caller knows the item and result types. */
export function threadTask({ task, order }: TaskOrder): Promise<(item: unknown) => Promise<unknown>> {
  return tasks[task](order as never) as Promise<(item: unknown) => Promise<unknown>>;
}
