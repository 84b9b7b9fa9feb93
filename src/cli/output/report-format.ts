/** Replaces additional output formats, such as Markdown, by `text`, because `report` knows only `json` and `text`. */
export function withReportFormat<Options extends { readonly output: string }>(
  options: Options,
): Omit<Options, 'output'> & { readonly output: 'json' | 'text' } {
  return { ...options, output: options.output === 'json' ? 'json' : 'text' };
}
