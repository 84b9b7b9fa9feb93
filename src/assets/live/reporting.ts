import { defineAsset } from '../../graph/asset.js';
import { noReporting, reportingOf, reportTokenForm, type Reporting } from '../../reports/report-files.js';
import { snoConfig } from '../config/sno-config.js';

/** What reports the stages of the installation, with a token that is the site's alone. */
export const reporting = defineAsset({
  name: 'bootstrap/reporting',
  needs: { sno: snoConfig },
  make: ({ sno: { report } }, { draws, templates }): Reporting => {
    if (report === undefined) return noReporting;
    const token = draws.text('report-token', reportTokenForm.length, reportTokenForm.alphabet);
    return reportingOf(report, { token, templates });
  },
});
