/**
 * What Stryker's report says, counted by what became of each change, with the share that was noticed (percent). A change that makes a
 * test run on without end counts as noticed; one that does not compile, or that is not tried, does not count.
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
