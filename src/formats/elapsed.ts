/** An elapsed time in its two largest units: `12 s`, `3 min 5 s`, `1 h 5 min`. */
export function elapsedText(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return join(`${hours} h`, minutes, 'min');
  return minutes > 0 ? join(`${minutes} min`, seconds % 60, 's') : `${seconds} s`;
}

function join(large: string, small: number, unit: string): string {
  return small === 0 ? large : `${large} ${small} ${unit}`;
}
