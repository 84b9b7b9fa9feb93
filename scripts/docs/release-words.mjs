import { defaultKubernetesVersion, knownKubernetesText } from '../../.cache/modules/release/kubernetes.js';
import { releases } from '../../.cache/modules/release/releases.js';

const { firstWith, lastWith } = releases;
const offersInstaller = ({ offersInstaller }) => offersInstaller;
const words = {
  'all supported': releases.offeredText,
  'all of Installer': `${firstWith(offersInstaller).version.text} to ${lastWith(offersInstaller).version.text}`,
  'first with bare images': firstWith((release) => !release.hasNodeProgramsInImages).version.text,
  'default of Kubernetes': defaultKubernetesVersion,
  'all of Kubernetes': knownKubernetesText,
};

/**
 * Updates the facts about releases in a handwritten document. Each is enclosed in `<!-- release: NAME -->` and `<!-- . -->` within a
 * sentence. Throws on an unknown name.
 */
export function withReleaseWords(text) {
  return text.replace(/(<!-- release: (.+?) -->).*?(<!-- \. -->)/g, (_all, begin, name, end) => {
    if (!Object.hasOwn(words, name)) throw new Error(`unknown release fact "${name}"`);
    return `${begin}${words[name]}${end}`;
  });
}
