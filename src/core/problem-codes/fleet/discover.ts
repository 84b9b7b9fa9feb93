import type { CodeTable } from '../entry.js';

/** Problems when comparing the site table with the machines. */
export const discoverCodes = {
  'discover/different': {
    severity: 'error',
    fault: 'the table has a MAC address, disk or serial number that the machine of the site does not have',
    why: 'The node would not find its network interface or its installation disk, or the BMC address belongs to another machine.',
    fix: 'Correct the cell, or the BMC address of the site. `fleet discover` never changes a cell with a value, and writes nothing for this site.',
  },
  'discover/undecided': {
    severity: 'warning',
    fault: 'several values of the machine, or none, suit an empty cell',
    why: 'A wrong guess would install to another disk or configure another network interface.',
    fix: 'Choose a value from the lists of `fleet discover` and write it into the table. `rootDeviceHints` such as `minSizeGigabytes`, `model` and `rotational` in sno-config.yaml narrow the choice of the disk; a network interface with a link is preferred.',
    example: [
      'rootDeviceHints:',
      '  serialNumber: ${diskSerial}',
      '  minSizeGigabytes: 400',
      '  rotational: false',
    ].join('\n'),
  },
  'discover/unread': {
    severity: 'warning',
    fault: 'the BMC refused to return a part of the inventory, or failed',
    why: 'The lists of this site may be incomplete, so the part is not compared with the table.',
    fix: 'Give the user the right to read it (the role ReadOnly of Redfish has it), or look at the log of the BMC.',
  },
} as const satisfies CodeTable;
