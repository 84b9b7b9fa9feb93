import payloadFields from '#schemas/payload' with { type: 'json' };
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { applySchema } from '../../formats/apply-schema.js';
import type { Draft } from '../../formats/field-schema.js';
import { parseImageReference } from '../../formats/image-reference.js';
import type { Inputs } from '../../graph/context.js';
import { pullSpecFault } from '../rules/sno/pull-spec.js';
import type { PayloadInput } from '../schema/payload-schema.js';
import type { Finding } from '../schema/rule.js';
import { readConfigFile } from './config-file.js';
import { validateConfig } from './validate-config.js';

export const payloadConfigName = 'payload.yaml';

/** Images of a payload that the user lists. */
export interface PayloadConfig {
  /** Pull specs. */
  readonly additionalImages: readonly string[];
  /** By digest. */
  readonly registryImage?: string;
}

/** Reads payload.yaml, which need not exist. Problems: payload/config, config/… as for any config. */
export function readPayloadConfig(inputs: Pick<Inputs, 'read'>): Result<PayloadConfig> {
  const read = readConfigFile(inputs, payloadConfigName);
  if (read.kind === 'absent') return success({ additionalImages: [] });
  if (read.kind === 'unusable') return failure(...read.problems);
  const { draft, misfits } = applySchema<PayloadInput>({ schema: payloadFields }, read.root);
  const rule = { number: 1, fields: [], text: '', origin: 'sno-install' as const, check: findingsIn };
  const judged = validateConfig({
    file: payloadConfigName,
    root: read.root,
    misfits,
    rules: [rule],
    subject: draft,
    refusesPlaceholders: true,
  });
  const problems = [...read.problems, ...judged.problems];
  if (problems.length > 0) return failure(...problems);
  const { additionalImages = [], registryImage } = draft;
  return success({
    additionalImages: additionalImages.flatMap(({ name }) => name ?? []),
    ...(registryImage !== undefined && { registryImage }),
  });
}

function findingsIn({
  apiVersion,
  kind,
  additionalImages = [],
  registryImage,
}: Draft<PayloadInput>): readonly Finding[] {
  const code = 'payload/config';
  const ofFormat = (field: string, value: string | undefined, wanted: string): readonly Finding[] =>
    value === undefined || value === wanted
      ? []
      : [{ code, path: [field], message: `${field} is ${quoted(value)}, expected ${wanted}` }];
  const ofImage = (path: Finding['path'], image: string | undefined): readonly Finding[] => {
    const fault = image === undefined ? undefined : faultOf(image);
    return fault === undefined ? [] : [{ code, path, message: `the image ${quoted(image ?? '')} ${fault}` }];
  };
  const isByTag = registryImage !== undefined && parseImageReference(registryImage)?.digest === undefined;
  const ofRegistry = ofImage(['registryImage'], registryImage);
  return [
    ...ofFormat('apiVersion', apiVersion, 'sno-install/v1alpha1'),
    ...ofFormat('kind', kind, 'PayloadConfig'),
    ...additionalImages.flatMap(({ name }, index) => ofImage(['additionalImages', index, 'name'], name)),
    ...ofRegistry,
    ...(isByTag && ofRegistry.length === 0
      ? [{ code, path: ['registryImage'], message: 'registryImage is not a pull spec by digest' } as const]
      : []),
  ];
}

/** Registries store blobs by SHA-256. */
function faultOf(image: string): string | undefined {
  const fault = pullSpecFault(image);
  if (fault !== undefined) return fault;
  const { digest } = parseImageReference(image) ?? {};
  return digest?.startsWith('sha512:') === true
    ? 'has a SHA-512 digest, which payloads do not support'
    : undefined;
}
