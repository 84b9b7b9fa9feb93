/** Error code of an S3 or STS response, letters only. No other text from the server is shown. */
export function errorCodeOf({ body }: { readonly body: Buffer }): string | undefined {
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(body.toString('utf8', 0, 4096))?.[1];
}
