/** The types of units, which their names end in. Source: Ignition's validation of units, which takes these (systemd.unit(5)). */
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
