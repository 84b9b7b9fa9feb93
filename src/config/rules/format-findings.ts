import { quoted } from '../../core/quoted.js';
import type { Finding } from '../schema/rule.js';

/** The format fields of a sno-install file. */
interface Format {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** Reports a sno-install file of another version or kind. */
export function formatFindings(input: Format, kind: string): readonly Finding[] {
  const wanted = { apiVersion: 'sno-install/v1alpha1', kind };
  return (['apiVersion', 'kind'] as const).flatMap((field) =>
    input[field] === wanted[field]
      ? []
      : [
          {
            code: 'config/api-version' as const,
            path: [field],
            message: `${field} must be ${wanted[field]}, not ${quoted(input[field] ?? '')}`,
            hint: `write "${field}: ${wanted[field]}"`,
          },
        ],
  );
}
