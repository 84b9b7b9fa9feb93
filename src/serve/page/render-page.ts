import { matchesFilter, type RowFilter } from './row-filter.js';
import { markup, type Html } from './markup.js';
import { phaseNames, phaseLabels, type SitePhase } from './site-phase.js';
import type { SiteRow } from './site-row.js';

export interface PageContents {
  readonly rows: readonly SiteRow[];
  readonly choice: RowFilter;
  /** RFC 3339. */
  readonly at: string;
  /** The event ID from which the browser starts to listen. */
  readonly eventId: string;
}

/** Renders the page at one time. The script in the page updates it. Without JavaScript, it can still be read and filtered. */
export function renderPage({ rows, choice, at, eventId }: PageContents): string {
  const chosen = new Set(rows.filter((row) => matchesFilter(row, choice)));
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sites</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/sites/page.css">
<script type="module" src="/sites/page.js"></script>
</head>
<body>
<a class="skip" href="#sites">To the sites</a>
<header>
<h1>Sites</h1>
<p id="live" role="status">As of <time datetime="${at}">${shownTime(at)}</time>; reload the page to update</p>
</header>
<main>
${phaseLinks(rows, choice)}
${filterForm(choice)}
<p id="count" role="status">${chosen.size} of ${rows.length} ${rows.length === 1 ? 'site' : 'sites'}</p>
<table id="sites" data-events="/sites/events?from=${eventId}">
<caption class="unseen">Sites with their phase, last event and API status</caption>
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

const columns = ['Site', 'Phase', 'Last word', 'API', 'Certificates end'];

function filterForm({ text, phase }: RowFilter): Html {
  const kept = phase === undefined ? undefined : markup`<input type="hidden" name="phase" value="${phase}">`;
  return markup`<form role="search" action="/sites">
<label for="q">Filter</label>
<input type="search" id="q" name="q" value="${text}" autocomplete="off" spellcheck="false">${kept}
<button>Filter</button>
</form>`;
}

/** A link per phase with the number of sites in it. */
function phaseLinks(rows: readonly SiteRow[], { text, phase: chosen }: RowFilter): Html {
  const link = (phase: SitePhase | '', title: string, many: number): Html => {
    const query = new URLSearchParams({
      ...(phase !== '' && { phase }),
      ...(text !== '' && { q: text }),
    }).toString();
    const href = query === '' ? '/sites' : `/sites?${query}`;
    const current = (chosen ?? '') === phase ? markup` aria-current="true"` : undefined;
    return markup`<li><a href="${href}" data-phase="${phase}"${current}>${title} <b>${many}</b></a></li>\n`;
  };
  const links = phaseNames.map((phase) =>
    link(phase, phaseLabels[phase], rows.filter((row) => row.phase === phase).length),
  );
  return markup`<nav aria-label="Phases">
<ul>
${[link('', 'All', rows.length), ...links]}</ul>
</nav>`;
}

function rowHtml({ name, phase, detail, word, at, api, until }: SiteRow, isShown: boolean): Html {
  const cells = [
    markup`<span>${phaseLabels[phase]}</span> <b>${detail}</b>`,
    markup`<span>${word}</span> ${timeHtml(at)}`,
    markup`<span>${api?.word}</span> <i>${api?.note}</i> ${timeHtml(api?.at)}`,
    timeHtml(until),
  ];
  const hidden = isShown ? undefined : markup` hidden`;
  return markup`<tr data-site="${name}" data-phase="${phase}"${hidden}><th scope="row">${name}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`;
}

function timeHtml(at: string | undefined): Html {
  return at === undefined ? markup`<time></time>` : markup`<time datetime="${at}">${shownTime(at)}</time>`;
}

/** Formats an RFC 3339 time for people: `2026-11-22 19:54:19 UTC`. */
function shownTime(at: string): string {
  return at.replace('T', ' ').replace(/Z$/, ' UTC');
}
