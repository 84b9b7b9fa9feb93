import { z } from 'zod';

import { optional, required } from './schema-parts.js';

const selection = z.strictObject({
  where: optional(
    z.record(z.string(), z.unknown()),
    'Columns of the table or variables of fleet.yaml with a value or a list of values; `*` matches any part of a value. All columns must match.',
    { examples: [{ role: 'canary' }, { region: ['north', 'east'] }] },
  ),
  only: optional(
    z.array(z.string().meta({ description: 'A site name; `*` matches any part of it.' })),
    'Site names. With `where`, both must match.',
    { examples: [['lab-*']] },
  ),
});

/** Schema of rollout.yaml: order, pace and limits of an operation on the sites of a fleet. */
export const rolloutSchema = z
  .strictObject({
    canary: optional(selection, 'Sites of the first wave.', { examples: [{ where: { role: 'canary' } }] }),
    wave: optional(
      z.string(),
      'Sites per wave: a number, or a percentage of the selected sites without the canary. Omitted means one wave.',
      { examples: ['10%', '25'] },
    ),
    failureLimit: optional(
      z.string(),
      'Number of failed sites that stops the rollout, or a percentage of the sites of a wave.',
      { default: '1', examples: ['5%', '3'] },
    ),
    until: optional(
      z.enum(['bootstrap-complete', 'install-complete', 'post-install-complete']),
      'Criterion for success, as in `fleet wait-for`.',
      { default: 'install-complete' },
    ),
    siteTimeout: optional(
      z.string(),
      'Time from the start of a site to the criterion. Then the site has failed.',
      {
        default: '3h',
        examples: ['90m'],
      },
    ),
    pause: optional(z.string(), 'Time between the end of a wave and the next one.', { examples: ['30m'] }),
    windows: optional(
      z.array(
        z.strictObject({
          days: optional(
            z.array(
              z
                .enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])
                .meta({ description: 'Day on which the window begins.' }),
            ),
            'Days on which the window begins. Omitted means every day.',
            { examples: [['mon', 'tue', 'wed', 'thu', 'fri']] },
          ),
          from: required(z.string(), 'Begin, as `HH:MM` in the zone.', { examples: ['22:00'] }),
          to: required(
            z.string(),
            'End, as `HH:MM`; an earlier time than `from` is on the next day. `24:00` is the end of the day.',
            { examples: ['05:00'] },
          ),
          zone: required(z.string(), 'Time zone, as the IANA names it.', { examples: ['Europe/Berlin'] }),
        }),
      ),
      'Sites start only within a window. The rollout waits for started sites after its end. Omitted means any time.',
    ),
    hold: optional(selection, 'Sites that do not start. A later run with a changed plan takes them.', {
      examples: [{ where: { region: 'north' } }],
    }),
  })
  .meta({ title: 'sno-install rollout' });

/** rollout.yaml as written by the user. */
export type RolloutInput = z.infer<typeof rolloutSchema>;
