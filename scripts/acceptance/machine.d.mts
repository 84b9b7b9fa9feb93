export function workerDomain(
  node: string,
  worker: { readonly name: string; readonly mac: string; readonly iso: string; readonly disk: string },
): string;
export function neighbor(address: string): string;
