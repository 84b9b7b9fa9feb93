/** A metric family. Names follow OpenMetrics: without the suffix of a sample, with the unit at the end. */
export interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram' | 'info' | 'stateset';
  readonly unit?: 'seconds' | 'bytes';
  /** Without backslashes, quotes and line breaks. */
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly suffix?: '_total' | '_info' | '_bucket' | '_sum' | '_count';
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export type MetricFormat = 'openmetrics' | 'prometheus';

/** Source: OpenMetrics 1.0, "Protocol Negotiation"; prometheus.io/docs/instrumenting/exposition_formats */
export const metricTypes: Readonly<Record<MetricFormat, string>> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
};

/** OpenMetrics if the Accept header names it, as that of Prometheus does. */
export function metricFormat(accept: string | undefined): MetricFormat {
  return (accept ?? '').includes('application/openmetrics-text') ? 'openmetrics' : 'prometheus';
}

/** Families without samples are omitted. Sources: OpenMetrics 1.0, "Text format"; prometheus.io/docs/instrumenting/exposition_formats */
export function metricText(metrics: readonly Metric[], format: MetricFormat): string {
  const families = metrics
    .filter(({ samples }) => samples.length > 0)
    .map((each) => familyText(each, format));
  return `${families.join('')}${format === 'openmetrics' ? '# EOF\n' : ''}`;
}

function familyText({ name, type, unit, help, samples }: Metric, format: MetricFormat): string {
  const isOpen = format === 'openmetrics';
  const shown = isOpen ? name : `${name}${suffixes[type] ?? ''}`;
  const lines = [
    `# TYPE ${shown} ${isOpen ? type : (plainTypes[type] ?? type)}`,
    ...(isOpen && unit !== undefined ? [`# UNIT ${name} ${unit}`] : []),
    `# HELP ${shown} ${help}`,
    ...samples.map((sample) => `${name}${sample.suffix ?? ''}${labelText(sample.labels)} ${sample.value}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** In the Prometheus format the name of a family includes the suffix of its only sample. */
const suffixes: Readonly<Partial<Record<Metric['type'], string>>> = { counter: '_total', info: '_info' };

/** Types that only OpenMetrics has. */
const plainTypes: Readonly<Partial<Record<Metric['type'], string>>> = { info: 'gauge', stateset: 'gauge' };

function labelText(labels: Sample['labels'] = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Samples of a histogram. `bounds` are the upper bounds of its buckets, ascending. */
export function histogramSamples(
  values: readonly number[],
  bounds: readonly number[],
  labels: Readonly<Record<string, string>>,
): readonly Sample[] {
  const upTo = (bound: number): number => values.filter((value) => value <= bound).length;
  return [
    ...bounds.map((bound): Sample => ({
      suffix: '_bucket',
      labels: { ...labels, le: Number.isInteger(bound) ? `${bound}.0` : String(bound) },
      value: upTo(bound),
    })),
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: values.length },
    { suffix: '_sum', labels, value: values.reduce((sum, value) => sum + value, 0) },
    { suffix: '_count', labels, value: values.length },
  ];
}
