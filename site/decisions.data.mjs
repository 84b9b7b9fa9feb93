import { decisions, linksOf } from './.vitepress/addresses.mjs';

export default { load: () => linksOf(decisions) };
