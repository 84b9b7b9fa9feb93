import { resultOf } from '../../core/result.js';
import { whyNoRecipient } from '../../formats/age.js';
import { defineAsset } from '../../graph/asset.js';
import { snoReading } from './sno-config.js';

/**
 * To whom sno-config.yaml wants the state file encrypted: each a recipient that can be encrypted to.
 * Problem: state/recipient.
 */
export const stateRecipients = defineAsset({
  name: 'config/state-recipients',
  needs: { reading: snoReading },
  tryMake: async ({ reading: { config, judge } }) => {
    const { recipients } = config.state;
    const reasons = await Promise.all(recipients.map(whyNoRecipient));
    const findings = reasons.flatMap((reason, index) =>
      reason === undefined
        ? []
        : [
            {
              code: 'state/recipient' as const,
              path: ['state', 'recipients', index],
              message: `state.recipients[${index}] ${reason}`,
            },
          ],
    );
    return resultOf(recipients, judge(findings));
  },
});
