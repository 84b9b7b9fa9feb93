import { aioCodes } from './aio.js';
import { applyCodes } from './apply.js';
import { clusterCodes } from './cluster.js';
import { configCodes } from './config.js';
import { controlPlaneCodes } from './control-plane.js';
import { directoryCodes } from './directory.js';
import { enrichCodes } from './enrich.js';
import { fleetCodes } from './fleet.js';
import { ignitionCodes } from './ignition.js';
import { bootCodes } from './fleet/boot.js';
import { discoverCodes } from './fleet/discover.js';
import { rolloutCodes } from './fleet/rollout.js';
import { fleetOutputCodes } from './fleet/outputs.js';
import { jobCodes } from './fleet/job.js';
import { packCodes } from './fleet/pack.js';
import { reinstallCodes } from './fleet/reinstall.js';
import { storeCodes } from './fleet/store.js';
import { upgradeCodes } from './fleet/upgrade.js';
import { webhookCodes } from './fleet/webhook.js';
import { importCodes } from './imports/import.js';
import { certsCodes, inspectCodes, whyCodes } from './inspect.js';
import { libvirtCodes } from './libvirt.js';
import { manifestCodes } from './manifest.js';
import { manifestObjectCodes } from './manifest-objects.js';
import { mediaCodes } from './media.js';
import { postInstallCodes } from './post-install.js';
import { preflightCodes } from './preflight.js';
import { receiptCodes } from './receipt.js';
import { reviewCodes } from './review.js';
import { stateCodes } from './state.js';
import { supportCodes } from './support.js';
import { tlsCodes } from './tls.js';
import { usageCodes } from './usage.js';

/** All problem codes; docs/problems.md is generated from this catalog. */
export const problemCatalog = {
  ...usageCodes,
  ...directoryCodes,
  ...stateCodes,
  ...configCodes,
  ...tlsCodes,
  ...manifestCodes,
  ...manifestObjectCodes,
  ...postInstallCodes,
  ...ignitionCodes,
  ...enrichCodes,
  ...clusterCodes,
  ...applyCodes,
  ...controlPlaneCodes,
  ...aioCodes,
  ...mediaCodes,
  ...libvirtCodes,
  ...reviewCodes,
  ...receiptCodes,
  ...certsCodes,
  ...inspectCodes,
  ...whyCodes,
  ...fleetCodes,
  ...fleetOutputCodes,
  ...discoverCodes,
  ...bootCodes,
  ...rolloutCodes,
  ...reinstallCodes,
  ...upgradeCodes,
  ...storeCodes,
  ...packCodes,
  ...jobCodes,
  ...webhookCodes,
  ...importCodes,
  ...supportCodes,
  ...preflightCodes,
} as const;

/** `<area>/<problem>` */
export type ProblemCode = keyof typeof problemCatalog;
