import { ruleCases } from './install-rule-cases.js';
import { edited, soundInstallConfig } from './sound-config.js';

/** The texts of all rule cases: between them they have every field of install-config.yaml. */
export const installRuleTexts: readonly string[] = ruleCases.map(({ edits }) =>
  edited(soundInstallConfig, edits),
);
