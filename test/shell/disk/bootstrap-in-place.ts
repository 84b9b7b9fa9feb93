import { masterConfig } from './machine-files.js';

export const script = 'bootstrap-in-place.sh';

export const home = 'opt/openshift';

export function answerWith(change: object): string {
  return JSON.stringify({ ...masterConfig, ...change });
}
