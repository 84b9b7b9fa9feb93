/** Whether a CronJob accepts the schedule. Source: github.com/robfig/cron v3 parser.go, ParseStandard */
export function isCronSchedule(text: string): boolean {
  if (text.startsWith('@'))
    return /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/.test(text);
  const given = text.trim().split(/\s+/);
  return given.length === fields.length && fields.every((field, index) => isField(given[index] ?? '', field));
}

interface CronField {
  readonly least: number;
  readonly most: number;
  /** Names of the values, from `least`. */
  readonly names?: readonly string[];
}

const fields: readonly CronField[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  {
    least: 1,
    most: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  // Unlike in other programs, 7 is no Sunday.
  { least: 0, most: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

function isField(text: string, field: CronField): boolean {
  return text
    .split(',')
    .filter((part) => part !== '')
    .every((part) => isRange(part, field));
}

function isRange(part: string, field: CronField): boolean {
  const [range = '', step, ...more] = part.split('/');
  if (more.length > 0 || (step !== undefined && !(/^\d+$/.test(step) && Number(step) > 0))) return false;
  const [first = '', last = first, ...others] = range.split('-');
  if (others.length > 0) return false;
  if (first === '*' || first === '?') return true;
  const [start, end] = [valueOf(first, field), valueOf(last, field)];
  return (
    start !== undefined && end !== undefined && start >= field.least && end <= field.most && start <= end
  );
}

function valueOf(text: string, { names = [], least }: CronField): number | undefined {
  const index = names.indexOf(text.toLowerCase());
  if (index !== -1) return index + least;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
