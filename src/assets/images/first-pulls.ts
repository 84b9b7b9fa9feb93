import type { ImageReferences } from '../../config/reading/image-references.js';
import { byKey } from '../../core/compare.js';
import { aioImages, type AioImage } from '../../config/schema/aio-model.js';
import { defineAsset } from '../../graph/asset.js';
import {
  firstImage,
  scriptsByImage,
  isPulled,
  type FirstBootDownloads,
} from '../../node/first-boot-images.js';
import { osImageStream } from '../../node/live/live-env-file.js';
import { aioRelease } from '../aio/aio-release.js';
import { fetchedFiles } from '../aio/fetched-files.js';
import { controlPlaneRender } from '../config/control-plane-render.js';
import { imageReferences } from '../config/image-references.js';
import { installConfig } from '../config/install-config.js';
import { release } from '../config/release.js';
import { imageKeys } from '../control-plane/inputs.js';

/** Downloads of a machine before its cluster runs, and the payload's image references if known. */
export interface PullsWithReferences {
  readonly pulls: FirstBootDownloads;
  readonly references: ImageReferences | undefined;
}

/** Script that runs the render commands of the payload's operators; not needed if this program renders the control plane. */
const renderingScript = 'bootkube-control-plane.sh';

/** Images that the live system of bootstrap in place pulls. */
export const singleNodePulls = defineAsset({
  name: 'images/single-node',
  needs: { install: installConfig, release, references: imageReferences, render: controlPlaneRender },
  make: ({ install, release, references, render }, { templates }): PullsWithReferences => {
    const isRendered = render.by === 'Installer';
    const ofScripts = [...scriptsByImage(templates)].flatMap(([name, scripts]) => {
      const pulling = scripts.filter((script) => !isRendered || script !== renderingScript);
      return pulling.length === 0 ? [] : [[name, pulling] as const];
    });
    const ofPods = isRendered ? imageKeys.map((name) => [name, ['static pods']] as const) : [];
    const usedBy = new Map<string, readonly string[]>();
    for (const [name, users] of [...ofScripts, ...ofPods])
      usedBy.set(name, [...(usedBy.get(name) ?? []), ...users]);
    const facts = { stream: osImageStream({ install, release }), isOkd: release.isOkd, references };
    const parts = [...usedBy]
      .filter(
        ([name]) => isPulled(name, facts) && (references === undefined || Object.hasOwn(references, name)),
      )
      .toSorted(byKey)
      .map(([name, users]) => firstImage(name, references?.[name], users));
    const payload = firstImage('release', release.image, ['release-image-download.sh']);
    return { pulls: { release: release.image, images: [payload, ...parts], files: [] }, references };
  },
});

/** Users of each image of an all-in-one node. */
const aioUsers: Readonly<Record<AioImage, string>> = {
  etcd: 'static pod',
  'kube-apiserver': 'static pod',
  'kube-controller-manager': 'static pod',
  'kube-scheduler': 'static pod',
  'kube-proxy': 'static pod',
  coredns: 'Deployment',
  pause: 'container runtime',
};

/** Images and files that an all-in-one node downloads. */
export const aioPulls = defineAsset({
  name: 'images/aio',
  needs: { release, references: imageReferences, programs: aioRelease, files: fetchedFiles },
  make: ({ release, references, programs, files }): PullsWithReferences => {
    const known = Object.values(references ?? {});
    const hasParts = aioImages.some((name) => known.includes(programs.images[name]));
    const images = aioImages.map((name) => firstImage(name, programs.images[name], [aioUsers[name]]));
    return { pulls: { ...(hasParts && { release: release.image }), images, files }, references };
  },
});
