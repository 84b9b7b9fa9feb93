import { ruleCases } from './install-rule-cases.js';
import { edited, soundInstallConfig } from './sound-config.js';

/** The configs of all rule cases. Together they contain every field of install-config.yaml. */
export const installRuleTexts: readonly string[] = ruleCases.map(({ edits }) =>
  edited(soundInstallConfig, edits),
);
