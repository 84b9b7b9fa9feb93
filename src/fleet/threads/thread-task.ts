import type { TaskFunction, TaskName, TaskOptions, ThreadTasks } from './tasks.js';

/** Modules are loaded on demand. */
const tasks: {
  readonly [Name in TaskName]: (order: ThreadTasks[Name]['order']) => Promise<TaskFunction<Name>>;
} = {
  make: async (order) => {
    if (order.iso !== undefined) {
      const { siteIsoBuilder } = await import('../build/site-iso.js');
      return siteIsoBuilder(order, order.iso);
    }
    const { siteBuilder } = await import('../build/build-site.js');
    return siteBuilder(order);
  },
  judge: async (order) => {
    const { dryRunCheck } = await import('../review/dry-run-check.js');
    const { dryRunOptionsOf, reopenFleet } = await import('../review/reopen-fleet.js');
    return dryRunCheck(reopenFleet(order), order, dryRunOptionsOf(order));
  },
  golden: async (order) => {
    const { goldenRenderer } = await import('../review/golden-site.js');
    const { dryRunOptionsOf, reopenFleet } = await import('../review/reopen-fleet.js');
    const { ourTemplates } = await import('../../run/sources/own-templates.js');
    return goldenRenderer(reopenFleet(order), ourTemplates(), dryRunOptionsOf(order));
  },
  sheet: async (order) => {
    const { sheetRenderer } = await import('../review/sheet-renderer.js');
    const { dryRunOptionsOf, reopenFleet } = await import('../review/reopen-fleet.js');
    return sheetRenderer(reopenFleet(order), dryRunOptionsOf(order));
  },
  compare: async ([before, after]) => {
    const { siteComparer } = await import('../review/compare-fleets.js');
    const { dryRunOptionsOf, reopenFleet } = await import('../review/reopen-fleet.js');
    return siteComparer([reopenFleet(before), reopenFleet(after)], dryRunOptionsOf(after));
  },
  certificates: async (order) => {
    const { certificateReader } = await import('../certificates/certificate-reader.js');
    return certificateReader(order);
  },
  render: async (order) => {
    const { siteRenderer } = await import('../review/outputs/site-renderer.js');
    const { ourTemplates } = await import('../../run/sources/own-templates.js');
    return siteRenderer(order, ourTemplates());
  },
  'compare-media': async (order) => {
    const { compareMedia } = await import('../serving/compare-media.js');
    return () => Promise.resolve(compareMedia(order));
  },
  'compare-outputs': async (order) => {
    const { outputsComparer } = await import('../review/outputs/compare-outputs.js');
    const { outputsReaders } = await import('../review/outputs/outputs-sides.js');
    return outputsComparer(outputsReaders(order));
  },
};

/** Returns the function that processes the items of a task. */
export function threadTask<Name extends TaskName>({
  task,
  order,
}: TaskOptions<Name>): Promise<TaskFunction<Name>> {
  return tasks[task](order);
}
