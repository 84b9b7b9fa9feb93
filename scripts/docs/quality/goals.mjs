/**
 * The rows of bench/README.md with a goal: name, figure, goal, and whether it is met. Compares the goal with the first number of the
 * figure that has the same unit. Throws if there is none.
 */
export function goalsOf(text) {
  return text.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, name, , figure, goal] = cells;
    const wanted = /^([≤≥]) ([\d.]+) (.+)$/.exec(goal ?? '');
    if (cells.length !== 6 || wanted === null) return [];
    const [, sign, limit, unit] = wanted;
    const got = numberOf(figure, unit.split(' ')[0]);
    if (got === undefined) throw new Error(`bench/README.md: no figure in ${unit} in "${figure}"`);
    const isMet = sign === '≤' ? got <= Number(limit) : got >= Number(limit);
    return [{ name, figure, goal, isMet }];
  });
}

function numberOf(figure, unit) {
  const found = [...figure.matchAll(/([\d.]+) ([^\s,]+)/g)].find(([, , each]) => each === unit);
  return found && Number(found[1]);
}
