/** What is known of texts, by the text. */
export interface RememberedTexts<Fact> {
  readonly get: (text: string) => Fact | undefined;
  readonly set: (text: string, fact: Fact) => Fact;
}

/**
 * Remembers facts of the latest texts, so that a run of many sites finds out once what holds for a text that each of them has. Texts of
 * at most twice as many characters are kept, those that were asked for again the longest. Not for texts that hold a secret: they would
 * outlive their site.
 */
export function rememberedTexts<Fact>(characters: number): RememberedTexts<Fact> {
  let latest = new Map<string, Fact>();
  let earlier = new Map<string, Fact>();
  let held = 0;

  const set = (text: string, fact: Fact): Fact => {
    if (text.length > characters) return fact;
    if (held + text.length > characters) {
      earlier = latest;
      latest = new Map();
      held = 0;
    }
    latest.set(text, fact);
    held += text.length;
    return fact;
  };

  return {
    set,
    get: (text) => {
      const known = latest.get(text);
      if (known !== undefined) return known;
      const old = earlier.get(text);
      return old === undefined ? undefined : set(text, old);
    },
  };
}
