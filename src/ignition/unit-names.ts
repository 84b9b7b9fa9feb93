/** Unit name suffixes. Source: Ignition's validation of units, which accepts these (systemd.unit(5)). */
export const unitTypes: readonly string[] = [
  'automount',
  'device',
  'mount',
  'path',
  'scope',
  'service',
  'slice',
  'snapshot',
  'socket',
  'swap',
  'target',
  'timer',
];
