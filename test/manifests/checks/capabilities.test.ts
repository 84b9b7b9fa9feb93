import { describe, expect, it } from 'vitest';

import { isCapabilityEnabled } from '../../../src/manifests/checks/check-kinds.js';

const release414 = { major: 4, minor: 14, text: '4.14' };
const release421 = { major: 4, minor: 21, text: '4.21' };

describe('isEnabled', () => {
  it.each([
    { capability: 'Build', baseline: undefined, extra: [], version: release421, want: true },
    { capability: 'Build', baseline: 'vCurrent', extra: [], version: release421, want: true },
    { capability: 'Build', baseline: 'None', extra: [], version: release421, want: false },
    { capability: 'Build', baseline: 'None', extra: ['Build'], version: release421, want: true },
    { capability: 'Build', baseline: 'v4.13', extra: [], version: release421, want: false },
    { capability: 'Build', baseline: 'v4.14', extra: [], version: release421, want: true },
    {
      capability: 'OperatorLifecycleManagerV1',
      baseline: 'v4.17',
      extra: [],
      version: release421,
      want: false,
    },
    {
      capability: 'OperatorLifecycleManagerV1',
      baseline: 'v4.18',
      extra: [],
      version: release421,
      want: true,
    },
    // 4.14 always has what became a capability later.
    { capability: 'Ingress', baseline: 'None', extra: [], version: release414, want: true },
    { capability: 'Ingress', baseline: 'None', extra: [], version: undefined, want: false },
  ] as const)(
    '$capability with baseline $baseline and $extra in $version.text: $want',
    ({ capability, baseline, extra, version, want }) => {
      const given =
        baseline === undefined
          ? undefined
          : { baselineCapabilitySet: baseline, additionalEnabledCapabilities: [...extra] };
      expect(isCapabilityEnabled(capability, given, version)).toBe(want);
    },
  );
});
