import type { Stage } from './stages.js';
import {
  longestStagesOf,
  longWaits,
  seconds,
  failedStagesOf,
  type Timeline,
  type TimelinePhase,
} from './text.js';

const rowHeight = 18;
const labelWidth = 330;
const chartWidth = 760;
const rightMargin = 90;
/** Width of one character of the SVG's font. */
const characterWidth = 6.7;

/** Renders the timeline as one self-contained page: a picture of each phase, then the text. */
export function timelinePage(timeline: Timeline): string {
  const { title, outcome, parts, phases } = timeline;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escape(title)}</h1>
<p>${escape(timeline.phases.map((phase) => `${phase.title}: ${seconds(phase.endMs - phase.startMs)}`).join(' · '))}</p>
<p class="${/^failed/.test(outcome) ? 'bad' : 'good'}">${escape(outcome)}</p>
${phases.map(phaseSection).join('\n')}
<h2>What was real</h2>
<ul>${parts.map((part) => `<li>${escape(part)}</li>`).join('')}</ul>
</body>
</html>
`;
}

const style = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1120px; color: #1b1f24; padding: 0 1em }
h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin-top: 2em }
.good { color: #11632d; font-weight: 600 } .bad { color: #a40e26; font-weight: 600 }
.console { font: 13px ui-monospace, monospace; border-left: 3px solid #bf8700; padding-left: .7em; white-space: pre-wrap }
svg { width: 100%; height: auto; background: #fafbfc; border: 1px solid #d8dee4 }
svg text { font: 11px ui-monospace, monospace; fill: #1b1f24 } svg .small { fill: #57606a }
.done { fill: #54aeff } .failed { fill: #cf222e } .killed { fill: #8250df } .open { fill: #bf8700 }
.wait { fill: #0b3d6b; opacity: .45 } .grid { stroke: #d8dee4 }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: 2px 10px 2px 0; border-bottom: 1px solid #eaeef2 }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.key span { display: inline-block; width: 1em; height: 1em; margin: 0 .3em 0 1em; vertical-align: -2px }
`;

function phaseSection(phase: TimelinePhase): string {
  const longest = longestStagesOf(phase);
  return `<h2>${escape(phase.title)} — ${seconds(phase.endMs - phase.startMs)}</h2>
${failedStagesOf(phase)
  .map((text) => `<p class="bad">${escape(text)}</p>`)
  .join('\n')}
${longest === '' ? '' : `<p>Took longest: ${escape(longest)}.</p>`}
${phase.console.map((text) => `<p class="console">Seen on the console: ${escape(text)}</p>`).join('\n')}
<p class="key">${key('#54aeff', 'done')}${key('#cf222e', 'failed')}${key('#8250df', 'killed')}${key('#bf8700', 'still open at the end')}${key('#5b7c9c', 'waiting inside a stage')}</p>
${picture(phase)}
<details><summary>The same in words</summary>
<table><tr><th>Starts</th><th>Takes</th><th>Service</th><th>Stage</th><th>Waited for</th></tr>
${phase.stages.map((stage) => tableRow(stage, phase.startMs)).join('\n')}</table></details>`;
}

function key(colour: string, text: string): string {
  return `<span style="background:${colour}"></span>${text}`;
}

function picture(phase: TimelinePhase): string {
  const height = (phase.stages.length + 2) * rowHeight;
  const scale = chartWidth / Math.max(phase.endMs - phase.startMs, 1);
  const x = (at: number) => labelWidth + (at - phase.startMs) * scale;
  const rows = phase.stages.map((stage, index) => bar(stage, (index + 1) * rowHeight + 6, x));
  return `<svg viewBox="0 0 ${labelWidth + chartWidth + rightMargin} ${height}" role="img" aria-label="${escape(phase.title)}">
${grid(phase, height, x)}
${rows.join('\n')}
</svg>`;
}

/** A grid line at a fixed interval of seconds, about ten lines at most. */
function grid(phase: TimelinePhase, height: number, x: (at: number) => number): string {
  const total = (phase.endMs - phase.startMs) / 1000;
  const step = [1, 2, 5, 10, 20, 30, 60, 120, 300].find((each) => total / each <= 12) ?? 600;
  const marks = Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => index * step);
  return marks
    .map((mark) => {
      const at = x(phase.startMs + mark * 1000).toFixed(1);
      return `<line class="grid" x1="${at}" x2="${at}" y1="16" y2="${height}"/><text class="small" x="${at}" y="12">${mark} s</text>`;
    })
    .join('');
}

function bar(stage: Stage, y: number, x: (at: number) => number): string {
  const [from, to] = [x(stage.startMs), x(stage.endMs)];
  const width = Math.max(to - from, 1.5).toFixed(1);
  const waits = longWaits(stage).map(
    (wait) =>
      `<rect class="wait" x="${x(wait.startMs).toFixed(1)}" y="${y + 8}" width="${Math.max(x(wait.endMs) - x(wait.startMs), 1).toFixed(1)}" height="4"><title>waited ${seconds(wait.endMs - wait.startMs)} for ${escape(wait.what)}</title></rect>`,
  );
  const words = longWaits(stage).map(({ what }) => what);
  const beside =
    `${seconds(stage.endMs - stage.startMs)}${words.length > 0 ? ` — ${words.join('; ')}` : ''}`.slice(0, 90);
  const anchor = anchorOf(beside, from, to);
  return `<text x="4" y="${y + 10}">${escape(`${stage.unit}: ${stage.name}`)}</text><rect class="${stage.result}" x="${from.toFixed(1)}" y="${y}" width="${width}" height="12"><title>${escape(`${stage.unit}: ${stage.name}, ${stage.result}, ${seconds(stage.endMs - stage.startMs)}`)}</title></rect>${waits.join('')}<text class="small" ${anchor} y="${y + 10}">${escape(beside)}</text>`;
}

/** Position of a bar's label: after, before or on the bar. */
function anchorOf(text: string, from: number, to: number): string {
  const width = text.length * characterWidth;
  if (to + 4 + width <= labelWidth + chartWidth + rightMargin) return `x="${(to + 4).toFixed(1)}"`;
  if (from - 4 - width >= labelWidth) return `x="${(from - 4).toFixed(1)}" text-anchor="end"`;
  return `x="${(from + 4).toFixed(1)}" style="fill: #1b1f24"`;
}

function tableRow(stage: Stage, origin: number): string {
  const waits = longWaits(stage).map(({ what, startMs, endMs }) => `${what} (${seconds(endMs - startMs)})`);
  return `<tr><td class="number">+${seconds(stage.startMs - origin)}</td><td class="number">${seconds(stage.endMs - stage.startMs)}</td><td>${escape(stage.unit)}</td><td>${escape(stage.name)}${stage.result === 'done' ? '' : ` <b>${stage.result}</b>`}</td><td>${escape(waits.join('; '))}</td></tr>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
