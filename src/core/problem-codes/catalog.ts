import { aioCodes } from './aio.js';
import { clusterCodes } from './cluster.js';
import { configCodes } from './config.js';
import { controlPlaneCodes } from './control-plane.js';
import { directoryCodes } from './directory.js';
import { fleetCodes } from './fleet.js';
import { fleetMachineCodes } from './fleet-machines.js';
import { fleetStoreCodes } from './fleet-store.js';
import { ignitionCodes } from './ignition.js';
import { importCodes } from './import.js';
import { certsCodes, inspectCodes, whyCodes } from './inspect.js';
import { libvirtCodes } from './libvirt.js';
import { manifestCodes } from './manifest.js';
import { manifestObjectCodes } from './manifest-objects.js';
import { mediaCodes } from './media.js';
import { payloadCodes } from './payload.js';
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
  ...clusterCodes,
  ...controlPlaneCodes,
  ...aioCodes,
  ...mediaCodes,
  ...payloadCodes,
  ...libvirtCodes,
  ...reviewCodes,
  ...receiptCodes,
  ...certsCodes,
  ...inspectCodes,
  ...whyCodes,
  ...fleetCodes,
  ...fleetMachineCodes,
  ...fleetStoreCodes,
  ...importCodes,
  ...supportCodes,
  ...preflightCodes,
} as const;

/** `<area>/<problem>` */
export type ProblemCode = keyof typeof problemCatalog;
