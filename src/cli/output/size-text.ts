/** A number of bytes in GiB or MiB, with one decimal. */
export function sizeText(bytes: number): string {
  const [unit, divisor] = bytes < 1024 ** 3 ? ['MiB', 1024 ** 2] : ['GiB', 1024 ** 3];
  return `${(bytes / Number(divisor)).toFixed(1)} ${unit}`;
}
