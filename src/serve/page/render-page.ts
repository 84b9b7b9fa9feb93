import { printable } from '../../core/printable.js';
import { matchesFilter, type RowFilter } from './row-filter.js';
import { markup, type Html } from './markup.js';
import { phaseNames, phaseLabels, type SitePhase } from './site-phase.js';
import type { SiteRow } from './site-row.js';

export interface PageContents {
  readonly fleetName: string;
  /** Lines on the rollouts. */
  readonly summary: readonly string[];
  readonly rows: readonly SiteRow[];
  readonly choice: RowFilter;
  /** RFC 3339. */
  readonly at: string;
  /** The event ID from which the browser starts to listen. */
  readonly eventId: string;
}

/** Renders the page at one time. The script in the page updates it. Without JavaScript, it can still be read and filtered. */
export function renderPage({ fleetName, summary, rows, choice, at, eventId }: PageContents): string {
  const fleet = printable(fleetName);
  const chosen = new Set(rows.filter((row) => matchesFilter(row, choice)));
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${fleet} – sno-install</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/sites/page.css">
<script type="module" src="/sites/page.js"></script>
</head>
<body>
<a class="skip" href="#sites">Skip to the sites</a>
<header>
<h1><span>sno-install</span> ${fleet}</h1>
<p id="live" role="status">As of <time datetime="${at}">${shownTime(at)}</time>; reload the page to update</p>
</header>
<main>
<div id="rollouts">${summary.map((line) => markup`<p>${line}</p>`)}</div>
${phaseLinks(rows, choice)}
${filterForm(choice)}
<p id="count" role="status">${chosen.size} of ${rows.length} ${rows.length === 1 ? 'site' : 'sites'}</p>
<table id="sites" data-events="/sites/events?from=${eventId}">
<caption class="unseen">Sites with their phase, last event, API status, rollout, outdated medium and certificate expiry</caption>
<thead><tr>${columns.map((title) => markup`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => rowHtml(row, chosen.has(row)))}</tbody>
</table>
</main>
</body>
</html>
`;
  return page.html;
}

const columns = ['Site', 'Phase', 'Last event', 'API', 'Rollout', 'Medium', 'Certificates expire'];

function filterForm({ text, phase }: RowFilter): Html {
  const kept = phase === undefined ? undefined : markup`<input type="hidden" name="phase" value="${phase}">`;
  return markup`<form role="search" action="/sites">
<label for="q">Filter</label>
<input type="search" id="q" name="q" value="${text}" autocomplete="off" spellcheck="false">${kept}
<button>Filter</button>
</form>`;
}

/** A link per phase with the number of sites in it. Phases without sites are hidden, except the chosen one. */
function phaseLinks(rows: readonly SiteRow[], { text, phase: chosen }: RowFilter): Html {
  const link = (phase: SitePhase | '', title: string, many: number): Html => {
    const query = new URLSearchParams({
      ...(phase !== '' && { phase }),
      ...(text !== '' && { q: text }),
    }).toString();
    const href = query === '' ? '/sites' : `/sites?${query}`;
    const isCurrent = (chosen ?? '') === phase;
    const current = isCurrent ? markup` aria-current="true"` : undefined;
    const hidden = many === 0 && phase !== '' && !isCurrent ? markup` hidden` : undefined;
    return markup`<li${hidden}><a href="${href}" data-phase="${phase}"${current}><b>${many}</b> <span>${title}</span></a></li>\n`;
  };
  const links = phaseNames.map((phase) =>
    link(phase, phaseLabels[phase], rows.filter((row) => row.phase === phase).length),
  );
  return markup`<nav aria-label="Phases">
<ul>
${[link('', 'All', rows.length), ...links]}</ul>
</nav>`;
}

function rowHtml(
  { name, phase, percent, word, at, api, rollout, medium, until, untilText }: SiteRow,
  isShown: boolean,
): Html {
  const cells = [
    markup`<span class="phase">${phaseLabels[phase]}</span> ${progressHtml(percent)}`,
    markup`<span>${word}</span> ${timeHtml(at)}`,
    markup`<span>${api?.word}</span> <i>${api?.note}</i> ${timeHtml(api?.at)}`,
    markup`<span>${rollout}</span>`,
    markup`<span>${medium}</span>`,
    timeHtml(until, untilText),
  ];
  const hidden = isShown ? undefined : markup` hidden`;
  return markup`<tr data-site="${name}" data-phase="${phase}"${hidden}><th scope="row">${name}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`;
}

function progressHtml(percent: number | undefined): Html | undefined {
  if (percent === undefined) return undefined;
  return markup`<b>${percent} %</b> <progress max="100" value="${percent}" aria-label="Download"></progress>`;
}

/** A time, or a text for it with the time as its title. */
function timeHtml(at: string | undefined, text?: string): Html {
  if (at === undefined) return markup`<time></time>`;
  return text === undefined
    ? markup`<time datetime="${at}">${shownTime(at)}</time>`
    : markup`<time datetime="${at}" title="${shownTime(at)}">${text}</time>`;
}

/** Formats an RFC 3339 time for people: `2026-11-22 19:54:19 UTC`. */
function shownTime(at: string): string {
  return at.replace('T', ' ').replace(/Z$/, ' UTC');
}
