import { serializeReceipt, type Receipt } from '../../../src/disk/receipt/receipt.js';
import { soundMediumReceipt } from '../../support/sound-receipt.js';

const sha256 = 'a'.repeat(64);
const { medium } = soundMediumReceipt;

/** A receipt with every optional member. */
export const whole: Receipt = {
  ...soundMediumReceipt,
  program: { version: '0.1.0', build: sha256 },
  cluster: { name: 'site1', baseDomain: 'example.com', clusterID: 'an-id', infraID: 'site1-abcde' },
  environment: { SOURCE_DATE_EPOCH: '1' },
  inputs: [
    { path: 'a.yaml', bytes: 1, sha256 },
    { path: 'b.yaml', absent: true },
    { path: 'c.yaml', bytes: 1, hmacSha256: sha256, keyedBy: 'auth/kubeconfig' },
  ],
  inputFolders: ['manifests'],
  sources: [
    { name: 'pull-secret', bytes: 1 },
    { name: 'key.pub', bytes: 0, sha256 },
  ],
  outputs: [{ path: 'worker.ign', bytes: 1, mode: '0600', sha256 }],
  ...(medium?.liveIso && {
    medium: {
      ...medium,
      config: { path: 'worker.ign', bytes: 1, sha256 },
      liveIso: { ...medium.liveIso, path: 'live.iso' },
      urls: Object.fromEntries(
        ['rootfs', 'kernel', 'initrd', 'overlay'].map((name) => [name, `http://192.0.2.1/${name}`]),
      ),
      keyHolder: { path: 'worker.ign', sha256 },
    },
  }),
};

/** The receipt with another value at a path such as `outputs[0].mode`; undefined removes the member. */
export function edited(place: string, value: unknown): unknown {
  const change = (within: unknown, [step, ...rest]: readonly string[]): unknown => {
    if (step === undefined) return value;
    if (Array.isArray(within))
      return within.map((item: unknown, index) => (String(index) === step ? change(item, rest) : item));
    const object = Object(within) as Readonly<Record<string, unknown>>;
    return { ...object, [step]: change(object[step], rest) };
  };
  return change(JSON.parse(serializeReceipt(whole)), place.match(/\w+/g) ?? []);
}
