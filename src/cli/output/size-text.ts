/** A number of bytes in GiB or MiB, with one decimal. */
export function sizeText(bytes: number): string {
  return bytes < 1024 ** 3
    ? `${(bytes / 1024 ** 2).toFixed(1)} MiB`
    : `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}
