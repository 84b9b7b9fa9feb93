import type { TaskOptions, ThreadTask } from '../run/threads/workers.js';
import type { SiteOptions } from './build/site-options.js';
import type { CertificateReaderOptions } from './review/certificates/fleet-certificates.js';
import type { CompareOutputsOptions } from './review/outputs/outputs-sides.js';
import type { RendererOptions } from './review/outputs/rendered-sites.js';
import type { ComparedFleet } from './serving/compare-media.js';
import type { ReviewOptions } from './review/reopen-fleet.js';

type Task = (order: never) => Promise<(item: never) => Promise<unknown>>;

/** Task functions of worker threads. Modules are loaded on demand. */
const tasks: Record<ThreadTask, Task> = {
  make: async (order: SiteOptions) => {
    if (order.iso !== undefined) {
      const { siteIsoBuilder } = await import('./build/site-iso.js');
      return siteIsoBuilder(order, order.iso);
    }
    const { siteBuilder } = await import('./build/build-site.js');
    return siteBuilder(order);
  },
  judge: async (order: ReviewOptions) => {
    const { dryRunCheck } = await import('./review/dry-run-check.js');
    const { dryRunOptionsOf, reopenFleet } = await import('./review/reopen-fleet.js');
    return dryRunCheck(reopenFleet(order), order, dryRunOptionsOf(order));
  },
  golden: async (order: ReviewOptions) => {
    const { goldenRenderer } = await import('./review/golden-fleet.js');
    const { dryRunOptionsOf, reopenFleet } = await import('./review/reopen-fleet.js');
    const { ourTemplates } = await import('../run/sources/own-templates.js');
    return goldenRenderer(reopenFleet(order), ourTemplates(), dryRunOptionsOf(order));
  },
  compare: async ([before, after]: readonly [ReviewOptions, ReviewOptions]) => {
    const { siteComparer } = await import('./review/compare-fleets.js');
    const { dryRunOptionsOf, reopenFleet } = await import('./review/reopen-fleet.js');
    return siteComparer([reopenFleet(before), reopenFleet(after)], dryRunOptionsOf(after));
  },
  certificates: async (order: CertificateReaderOptions) => {
    const { certificateReader } = await import('./review/certificates/fleet-certificates.js');
    return certificateReader(order);
  },
  render: async (order: RendererOptions) => {
    const { siteRenderer } = await import('./review/outputs/rendered-sites.js');
    const { ourTemplates } = await import('../run/sources/own-templates.js');
    return siteRenderer(order, ourTemplates());
  },
  'compare-media': async (order: ComparedFleet) => {
    const { compareMedia } = await import('./serving/compare-media.js');
    return () => Promise.resolve(compareMedia(order));
  },
  'compare-outputs': async (order: CompareOutputsOptions) => {
    const { outputsComparer } = await import('./review/outputs/compare-outputs.js');
    const { outputsReaders } = await import('./review/outputs/outputs-sides.js');
    return outputsComparer(outputsReaders(order));
  },
};

/** Returns the function that processes the items of a task. The caller knows the item and result types. */
export function threadTask({ task, order }: TaskOptions): Promise<(item: unknown) => Promise<unknown>> {
  return tasks[task](order as never) as Promise<(item: unknown) => Promise<unknown>>;
}
