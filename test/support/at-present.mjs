// Preloaded into a command whose output contains times: its clock starts at PRESENT.
const RealDate = globalThis.Date;
const shiftMs = RealDate.parse(process.env.PRESENT) - RealDate.now();

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + shiftMs] : given));
  }

  static now() {
    return RealDate.now() + shiftMs;
  }

  /** Dates created by Node.js itself must match too. */
  static [Symbol.hasInstance](value) {
    return value instanceof RealDate;
  }
};
