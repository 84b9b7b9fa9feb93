import type { Templates } from '../../graph/context.js';
import { readCertificateBundle } from '../../formats/keys/certificate-bundle.js';
import type { IgnitionUnit, NodeFile } from '../../ignition/types.js';

/** Files and units with which a node reports its stages; empty unless sno-config.yaml sets `report`. */
export interface ReportFiles {
  readonly files: readonly NodeFile[];
  readonly units: readonly IgnitionUnit[];
  /** Lines for node-files.list, which copy the reporter to the installed node and delete it later. */
  readonly nodeFiles: string;
}

export const noReportFiles: ReportFiles = { files: [], units: [], nodeFiles: '' };

/** Path of the site's token (one word), in the live system and on the installed node. Gather scripts skip files of this name. */
export const reportTokenPath = '/opt/openshift/report-secret';

/** 256 bits. Letters and digits only, so that no reader has to quote it. */
export const reportTokenForm = {
  length: 43,
  alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
};

const unitName = 'sno-report.service';

/** The reporter for the live system and the installed node. */
export function reportFiles(
  { url, caBundle }: { readonly url: string; readonly caBundle?: string },
  { token, templates }: { readonly token: string; readonly templates: Templates },
): ReportFiles {
  const text = (path: string): string => templates.text(`report/${path}`);
  const bundle = caBundle === undefined ? [] : [readCertificateBundle(caBundle).pem];
  return {
    files: [
      { path: '/usr/local/bin/sno-report.sh', mode: 0o555, contents: text('usr/local/bin/sno-report.sh') },
      {
        path: `/opt/openshift/bootstrap-in-place/units/${unitName}`,
        mode: 0o600,
        contents: text(`installed/${unitName}`),
      },
      { path: reportTokenPath, mode: 0o600, contents: `${token}\n` },
      { path: '/opt/openshift/report-url', mode: 0o600, contents: `${url.replace(/\/+$/, '')}/report\n` },
      ...bundle.map((pem) => ({ path: '/opt/openshift/report-ca.crt', mode: 0o600, contents: pem })),
    ],
    units: [{ name: unitName, enabled: true, contents: text(`etc/systemd/system/${unitName}`) }],
    nodeFiles: reportNodeFiles(templates),
  };
}

/**
 * The same lines for a node with post-install manifests: the reporter also reports their stages, so its files outlive the clean-up of
 * the installation, which removes /opt/openshift.
 */
export function laterNodeFiles(lines: string): string {
  return lines.replaceAll(/^remove/gm, 'later ').replaceAll(' /opt/openshift/', ' /opt/sno-post-install/');
}

/** The lines of node-files.list for the reporter. */
export function reportNodeFiles(templates: Templates): string {
  return templates.text('report/node-files.list');
}
