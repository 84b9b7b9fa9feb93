import { imagesIn, type ImageReferences } from '../../config/reading/image-references.js';
import { referencesOf } from '../../config/reading/payload.js';
import { problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { toData } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { defineAsset } from '../../graph/asset.js';
import type { Context } from '../../graph/context.js';
import { payloadReading } from './payload-reading.js';
import { snoReading } from './sno-config.js';

/**
 * Contents of the `imageReferences` file: the output of `oc adm release info --output=json`, or its `references` member, an
 * ImageStream. Undefined if no file is set. Problems: config/image-references.
 */
export const givenReferences = defineAsset({
  name: 'config/given-image-references',
  needs: { reading: snoReading },
  tryMake: ({ reading }, { inputs }: Context): Result<ImageReferences | undefined> => {
    const path = reading.config.imageReferences;
    if (path === undefined || !reading.isSound('imageReferences')) return success(undefined);
    const refused = (fault: string): Result<never> =>
      failure(
        problem('config/image-references', `the image references ${quoted(path)} ${fault}`, {
          at: reading.placeOf(['imageReferences']),
          hint: 'write the file with `oc adm release info RELEASE --output=json`',
        }),
      );
    const read = inputs.read(path);
    if (read.kind === 'absent') return refused('are not there');
    if (read.kind === 'unreadable') return refused(`cannot be read: ${read.reason}`);
    const { documents, faults } = readYaml(Buffer.from(read.bytes).toString('utf8'));
    const [fault] = faults;
    if (fault !== undefined) return refused(`cannot be read: ${fault.message}`);
    const data = documents[0] === undefined ? undefined : toData(documents[0]);
    const images = imagesIn(data);
    return images === undefined ? refused('contain no tags with images') : success(images);
  },
});

/** The images of the release by name: those of the user's file, otherwise those of the payload; undefined without both. */
export const imageReferences = defineAsset({
  name: 'config/image-references',
  needs: { given: givenReferences, reading: payloadReading },
  make: ({ given, reading: { payload, uncompared } }): ImageReferences | undefined => {
    const manifest = payload?.manifest ?? uncompared;
    return given ?? (manifest && referencesOf(manifest));
  },
});
