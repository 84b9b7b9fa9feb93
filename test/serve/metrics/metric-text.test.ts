import { expect, test } from 'vitest';

import {
  histogramSamples,
  metricFormat,
  metricText,
  type Metric,
} from '../../../src/serve/metrics/metric-text.js';

const metrics: readonly Metric[] = [
  {
    name: 'a_build',
    type: 'info',
    help: 'Version.',
    samples: [{ suffix: '_info', labels: { version: '1' }, value: 1 }],
  },
  {
    name: 'b_sent_bytes',
    type: 'counter',
    unit: 'bytes',
    help: 'Sent.',
    samples: [{ suffix: '_total', value: 7 }],
  },
  { name: 'c', type: 'stateset', help: 'State.', samples: [{ labels: { c: 'on' }, value: 1 }] },
  { name: 'd', type: 'gauge', help: 'Sites.', samples: [{ labels: { site: 'a"\\\n' }, value: 0.5 }] },
  {
    name: 'e_seconds',
    type: 'histogram',
    unit: 'seconds',
    help: 'Time.',
    samples: histogramSamples([1, 2, 30], [2, 4.5], { operation: 'boot' }),
  },
  { name: 'f', type: 'gauge', help: 'Nothing.', samples: [] },
];

const samples = `e_seconds_bucket{operation="boot",le="2.0"} 2
e_seconds_bucket{operation="boot",le="4.5"} 2
e_seconds_bucket{operation="boot",le="+Inf"} 3
e_seconds_sum{operation="boot"} 33
e_seconds_count{operation="boot"} 3
`;

test('writes OpenMetrics', () => {
  expect(metricText(metrics, 'openmetrics')).toBe(`# TYPE a_build info
# HELP a_build Version.
a_build_info{version="1"} 1
# TYPE b_sent_bytes counter
# UNIT b_sent_bytes bytes
# HELP b_sent_bytes Sent.
b_sent_bytes_total 7
# TYPE c stateset
# HELP c State.
c{c="on"} 1
# TYPE d gauge
# HELP d Sites.
d{site="a\\"\\\\\\n"} 0.5
# TYPE e_seconds histogram
# UNIT e_seconds seconds
# HELP e_seconds Time.
${samples}# EOF
`);
});

test('writes the Prometheus format', () => {
  expect(metricText(metrics, 'prometheus')).toBe(`# TYPE a_build_info gauge
# HELP a_build_info Version.
a_build_info{version="1"} 1
# TYPE b_sent_bytes_total counter
# HELP b_sent_bytes_total Sent.
b_sent_bytes_total 7
# TYPE c gauge
# HELP c State.
c{c="on"} 1
# TYPE d gauge
# HELP d Sites.
d{site="a\\"\\\\\\n"} 0.5
# TYPE e_seconds histogram
# HELP e_seconds Time.
${samples}`);
});

test.each([
  [undefined, 'prometheus'],
  ['*/*', 'prometheus'],
  ['text/plain;version=0.0.4;q=0.5,*/*;q=0.1', 'prometheus'],
  ['application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2', 'openmetrics'],
])('answers Accept %s with %s', (accept, want) => {
  expect(metricFormat(accept)).toBe(want);
});
