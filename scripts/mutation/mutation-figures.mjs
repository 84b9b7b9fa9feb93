/**
 * Counts the mutants of Stryker's report by status, and the percentage that was detected. A timeout counts as detected; mutants that
 * do not compile or were not tested do not count.
 */
export function mutationFigures({ files }) {
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (wanted) => states.filter((status) => status === wanted).length;
  const [killed, timedOut] = [count('Killed'), count('Timeout')];
  const [survived, notCovered] = [count('Survived'), count('NoCoverage')];
  const tried = killed + timedOut + survived + notCovered;
  const score = Math.floor((1000 * (killed + timedOut)) / tried) / 10;
  return { score, killed, timedOut, survived, notCovered, ignored: count('Ignored') };
}
