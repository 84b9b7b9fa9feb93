import { rfc3339 } from '../../core/rfc3339.js';
import { parseJson } from '../../formats/json.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import type { AppendedPayload } from '../../media/read-medium.js';
import type { ListedCertificate } from '../certificates/certificate-list.js';
import { renderUrl, renderWord } from '../render-text.js';
import type { ConfigTexts } from './config-texts.js';
import { row, strings } from './rows.js';
import type { SheetRow } from './sheet.js';

/** A live ISO, or the files of a network boot. */
export interface BootedMedium {
  /** Kernel arguments in addition to those of every live system. Absent if unknown. */
  readonly kernelArguments?: readonly string[];
  /** URL of the root file system, or why it is unknown, if the live system downloads it. */
  readonly rootfsUrl?: string;
  /** NetworkManager profiles for the initramfs, which the live system also uses. */
  readonly keyfiles?: ConfigTexts['keyfiles'];
  /** Such as `rhcos-9.6.20250523-0, release not shown, amd64`. */
  readonly liveSystem?: string;
  /** The payload behind the volume of an ISO; absent for a network boot. */
  readonly payload?: AppendedPayload | 'none';
}

interface BootFacts {
  readonly certificates?: readonly Pick<ListedCertificate, 'facts'>[];
  readonly medium?: BootedMedium;
  readonly payload?: string;
}

/** Kernel arguments of both systems, certificates and size. */
export function bootRows(
  texts: ConfigTexts,
  { certificates, medium, payload }: BootFacts,
): readonly SheetRow[] {
  const { rootfsUrl } = medium ?? {};
  const [first] = certificates ?? [];
  const end = Number(texts.settings.get('SNO_NOT_AFTER') ?? '');
  return [
    ...row(
      'live-kernel-arguments',
      'Live kernel',
      medium?.kernelArguments?.map((each) => renderWord(each)) ?? [],
    ),
    ...row('installed-kernel-arguments', 'Node kernel', installedArguments(texts)),
    ...row('live-system', 'Live system', [medium?.liveSystem]),
    ...row('rootfs', 'Root fs from', [rootfsUrl === undefined ? undefined : renderUrl(rootfsUrl)]),
    ...row('boot-before', 'Boot before', [
      certificates === undefined || end === 0 || Number.isNaN(end)
        ? undefined
        : rfc3339(new Date(end * 1000)),
    ]),
    ...row('first-expiry', 'First expiry', [first?.facts.notAfter]),
    ...row('payload', 'Config size', [payload]),
  ];
}

/** Kernel arguments of the installed system: of coreos-installer, then of MachineConfigs for the node. */
function installedArguments({ settings, manifests }: ConfigTexts): readonly string[] {
  const installer = parseJson(settings.get('SNO_COREOS_INSTALLER') ?? '');
  const role = ['metadata', 'labels', 'machineconfiguration.openshift.io/role'];
  const ofNode = manifests.filter(
    ({ object }) => textAt(object, ['kind']) === 'MachineConfig' && fieldAt(object, role) === 'master',
  );
  return [
    ...strings(listAt(installer, ['appendKernelArguments'])),
    ...strings(listAt(installer, ['deleteKernelArguments'])).map((each) => `without ${each}`),
    ...ofNode.flatMap(({ object }) => strings(listAt(object, ['spec', 'kernelArguments']))),
  ].map((each) => renderWord(each));
}
