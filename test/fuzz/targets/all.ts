import type { Target } from '../driver/target.js';
import { installConfig, snoConfig } from './configs.js';
import { httpRanges } from './http-ranges.js';
import { ignition } from './ignition.js';
import { agentConfig, clusterInstance } from './imports.js';
import { logBundle, logTexts } from './log-bundles.js';
import { manifests } from './manifests.js';
import { initrd, iso, miniso } from './media.js';
import { plan } from './plan.js';
import { siteTableCsv, siteTableYaml } from './site-tables.js';
import { state } from './state.js';

/** All targets in the order of their runs. */
export const targets: readonly Target[] = [
  installConfig,
  snoConfig,
  manifests,
  ignition,
  agentConfig,
  clusterInstance,
  siteTableCsv,
  siteTableYaml,
  state,
  plan,
  iso,
  initrd,
  miniso,
  logBundle,
  logTexts,
  httpRanges,
];
