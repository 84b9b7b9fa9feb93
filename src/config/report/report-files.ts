import type { Templates } from '../../graph/context.js';
import { readCertificateBundle } from '../../formats/keys/certificate-bundle.js';
import type { IgnitionUnit, NodeFile } from '../../ignition/types.js';

/** What makes a node report its stages; nothing, unless sno-config.yaml asks with `report`. */
export interface Reporting {
  readonly files: readonly NodeFile[];
  readonly units: readonly IgnitionUnit[];
  /** Lines for node-files.list, which take it to the installed node and away again. */
  readonly nodeFiles: string;
}

/** No report. */
export const noReporting: Reporting = { files: [], units: [], nodeFiles: '' };

/** Where the token of the site lies, in the live system and on the installed node: one word. Gather scripts leave out what is called so. */
export const reportTokenPath = '/opt/openshift/report-secret';

/** Of letters and digits alone, so that no reader of it has to quote: 256 bits. */
export const reportTokenForm = {
  length: 43,
  alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
};

const unitName = 'sno-report.service';

/** The reporter of the live system, and of the installed node. */
export function reportingOf(
  { url, caBundle }: { readonly url: string; readonly caBundle?: string },
  { token, templates }: { readonly token: string; readonly templates: Templates },
): Reporting {
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

/** The lines of node-files.list for what reports. */
export function reportNodeFiles(templates: Templates): string {
  return templates.text('report/node-files.list');
}
