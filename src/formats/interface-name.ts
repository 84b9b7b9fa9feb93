/**
 * Explains why Linux or NetworkManager refuses a name of an interface, as the end of a sentence; undefined if it is valid.
 * Source: dev_valid_name of Linux' net/core/dev.c, IFNAMSIZ; NetworkManager also rejects a percent sign and these names.
 */
export function interfaceNameFault(name: string): string | undefined {
  if (name.length > 15) return 'it is longer than 15 characters';
  if (/[^!-~]/.test(name)) return 'it contains a space or a non-ASCII character';
  if (/[/:%]/.test(name)) return '"/", ":" and "%" are not allowed';
  return ['.', '..', 'lo', 'all', 'default'].includes(name) ? 'it is reserved' : undefined;
}
