import { linksOf } from './.vitepress/addresses.mjs';
import { kinds } from './pages.mjs';

const groups = kinds.flatMap((kind) => kind.groups);

export default {
  load: () => groups.map(({ name, pages, more }) => ({ name, links: linksOf([...pages, ...more]) })),
};
