import { expect, it } from 'vitest';

import { maskKernelArgument } from '../../../src/disk/receipt/make-media-receipt.js';

it.each([
  { given: 'nomodeset', want: 'nomodeset' },
  { given: 'console=ttyS0,115200n8', want: 'console=ttyS0,115200n8' },
  {
    given: 'ip=192.0.2.10::192.0.2.1:255.255.255.0::eno1:none',
    want: 'ip=192.0.2.10::192.0.2.1:255.255.255.0::eno1:none',
  },
  { given: 'rd.net.timeout.carrier=30', want: 'rd.net.timeout.carrier=30' },
  { given: 'mypass:hunter2pw', want: '…' },
  { given: 'hunter', want: '…' },
  { given: 'hunter2pw=', want: '…' },
  { given: 'aHVudGVyMnB3==', want: '…' },
  { given: 'rd.iscsi.password=hunter', want: 'rd.iscsi.password=…' },
  { given: 'netroot=iscsi:user:hunter@192.0.2.1::3260::iqn', want: 'netroot=…' },
  { given: 'ip=user:hunter@192.0.2.1', want: 'ip=…' },
  { given: '=hunter', want: '…' },
])('a receipt has of $given: $want', ({ given, want }) => {
  expect(maskKernelArgument(given)).toBe(want);
});
