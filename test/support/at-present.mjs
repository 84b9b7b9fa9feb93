// Preloaded into a command whose output tells of times: what it takes for the present goes on from PRESENT.
const RealDate = globalThis.Date;
const shiftMs = RealDate.parse(process.env.PRESENT) - RealDate.now();

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + shiftMs] : given));
  }

  static now() {
    return RealDate.now() + shiftMs;
  }

  /** Those that Node.js itself makes are dates, too. */
  static [Symbol.hasInstance](value) {
    return value instanceof RealDate;
  }
};
