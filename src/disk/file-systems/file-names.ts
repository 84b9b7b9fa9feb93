import process from 'node:process';

/**
 * Explains why one part of a path is not a valid name on this platform; undefined if it is valid. Windows reserves device names,
 * in any case and with any extension, and strips trailing dots and spaces.
 * Source: https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function fileNameFault(name: string): string | undefined {
  if (process.platform !== 'win32') return undefined;
  if (devices.test(name)) return `${name} is a reserved name on Windows`;
  if (/[. ]$/.test(name)) return 'names on Windows cannot end with a dot or a space';
  return /[<>:"\\|?*\u0000-\u001f]/.test(name)
    ? 'names on Windows cannot contain < > : " \\ | ? *'
    : undefined;
}

const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
