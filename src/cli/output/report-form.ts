/** Options of a command that knows a further form of its results, such as Markdown, with the form in which `report` tells all else. */
export function inReportForm<Options extends { readonly output: string }>(
  options: Options,
): Omit<Options, 'output'> & { readonly output: 'json' | 'text' } {
  return { ...options, output: options.output === 'json' ? 'json' : 'text' };
}
