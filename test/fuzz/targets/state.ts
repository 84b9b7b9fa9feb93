import { problemsOf } from '../../../src/core/result.js';
import { serializeState } from '../../../src/disk/state/state-file.js';
import { parseState } from '../../../src/disk/state/state-text.js';
import { secrets } from '../../support/secret-corpus.js';
import type { Target } from '../driver/target.js';
import { keptInputs } from './fixture-texts.js';
import { canaries } from './planted.js';
import { shownProblems } from './shown-problems.js';

const name = '.sno-install-state.json';

/** A state file. Writing and reading it again must give the same state. */
export const state: Target = {
  name: 'state',
  form: 'json',
  seeds: () => [whole, empty, ...keptInputs('state')],
  canaries,
  run: (input) => {
    const read = parseState(input.toString('utf8'), name);
    return {
      isAccepted: read.ok,
      shown: shownProblems(problemsOf(read)),
      fault: read.ok ? lossIn(read.value) : undefined,
    };
  },
};

function lossIn(given: Parameters<typeof serializeState>[0]): string | undefined {
  const text = serializeState(given);
  const again = parseState(text, name);
  if (!again.ok) return `what is written of it is refused: ${JSON.stringify(again.problems)}`;
  return serializeState(again.value) === text ? undefined : 'it is written otherwise the second time';
}

const empty = serializeState({ generatedValues: {}, written: {}, environment: {}, lastRuns: {} });

const whole = serializeState({
  generatedValues: {
    clock: '2026-01-02T03:04:05Z',
    'key/ec-p256/tls/a': secrets.jwt.text,
    'text/password': secrets.token.text,
  },
  written: { 'worker.ign': 'a'.repeat(64), 'auth/kubeconfig': 'b'.repeat(64) },
  environment: { OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE: 'quay.io/a/b:4.21.0' },
  cluster: { name: 'sno', baseDomain: 'example.com' },
  bootableFrom: '2026-01-02T03:04:05Z',
  bootableUntil: '2026-01-03T03:04:05Z',
  recipients: ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'],
  pruned: ['key/a'],
  mustResealOutputs: true,
  lastRuns: {},
});
