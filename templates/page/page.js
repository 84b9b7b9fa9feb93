// Updates the page of `serve` and filters its rows while the user types. Without scripts the server filters the page instead.
const table = document.querySelector('#sites');
const body = table.tBodies[0];
const form = document.querySelector('form');
const field = document.querySelector('#q');
const count = document.querySelector('#count');
const live = document.querySelector('#live');
const links = new Map([...document.querySelectorAll('nav a')].map((link) => [link.dataset.phase, link]));
const phaseTexts = new Map([...links].map(([phase, link]) => [phase, link.querySelector('span').textContent]));
const rows = new Map([...body.rows].map((row) => [row.dataset.site, row]));
let phase = new URL(location.href).searchParams.get('phase') ?? '';
if (!links.has(phase)) phase = '';

/** Whether a row matches the filter. The server has the same logic for browsers without scripts. */
function isChosen(row, words) {
  if (phase !== '' && row.dataset.phase !== phase) return false;
  const [site, phaseCell, event, api, rollout, medium] = row.cells;
  const [said, note] = api.children;
  const texts = [site, phaseCell, event.firstElementChild, said, note, rollout, medium].map((each) => each.textContent);
  const text = texts.join(' ').toLowerCase();
  return words.every((each) => text.includes(each));
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function filter(changed = rows.values()) {
  const words = field.value.toLowerCase().split(/\s+/);
  for (const row of changed) {
    const isHidden = !isChosen(row, words);
    if (row.hidden !== isHidden) row.hidden = isHidden;
  }
}

/** Shows the number of sites per phase and of visible rows. */
function tally() {
  const many = new Map();
  let shown = 0;
  for (const row of rows.values()) {
    many.set(row.dataset.phase, (many.get(row.dataset.phase) ?? 0) + 1);
    if (!row.hidden) shown += 1;
  }
  for (const [name, link] of links) {
    const size = name === '' ? rows.size : (many.get(name) ?? 0);
    setText(link.querySelector('b'), String(size));
    link.parentElement.hidden = size === 0 && name !== '' && name !== phase;
  }
  setText(count, `${shown} of ${rows.size} ${rows.size === 1 ? 'site' : 'sites'}`);
}

/** Applies the filter and stores it in the URL, which can be bookmarked. */
function choose() {
  filter();
  tally();
  for (const [name, link] of links) {
    if (name === phase) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  const query = new URLSearchParams();
  if (phase !== '') query.set('phase', phase);
  if (field.value !== '') query.set('q', field.value);
  history.replaceState(null, '', query.size === 0 ? '/sites' : `/sites?${query}`);
}

function shownTime(at) {
  return at.replace('T', ' ').replace(/Z$/, ' UTC');
}

/** Shows a time, or a text for it with the time as its title. */
function setTime(element, at = '', text = undefined) {
  if (at === '') element.removeAttribute('datetime');
  else if (element.dateTime !== at) element.dateTime = at;
  const title = text === undefined ? '' : shownTime(at);
  if (element.title !== title) element.title = title;
  setText(element, text ?? shownTime(at));
}

function newRow(name) {
  const row = document.createElement('tr');
  row.dataset.site = name;
  const head = document.createElement('th');
  head.scope = 'row';
  head.textContent = name;
  const cells = [
    ['span', ' '],
    ['span', ' ', 'time'],
    ['span', ' ', 'i', ' ', 'time'],
    ['span'],
    ['span'],
    ['time'],
  ].map((parts) => {
    const cell = document.createElement('td');
    cell.append(...parts.map((part) => (part === ' ' ? part : document.createElement(part))));
    return cell;
  });
  cells[0].firstElementChild.className = 'phase';
  row.append(head, ...cells);
  return row;
}

/** The row of a site. A new row is inserted in the order of names. */
function rowOf(name) {
  const known = rows.get(name);
  if (known) return known;
  const row = newRow(name);
  const next = [...body.rows].find((each) => each.dataset.site > name);
  body.insertBefore(row, next ?? null);
  rows.set(name, row);
  return row;
}

/** Updates the progress bar of a phase cell. Only sites that download have one. */
function setProgress(cell, percent) {
  const [, text, bar] = cell.children;
  if (percent === undefined) {
    text?.remove();
    bar?.remove();
  } else if (bar) {
    setText(text, `${percent} %`);
    bar.value = percent;
  } else {
    const [newText, newBar] = ['b', 'progress'].map((tag) => document.createElement(tag));
    newText.textContent = `${percent} %`;
    Object.assign(newBar, { max: 100, value: percent, ariaLabel: 'Download' });
    cell.append(newText, ' ', newBar);
  }
}

function show(site) {
  const row = rowOf(site.name);
  row.dataset.phase = site.phase;
  const [, phaseCell, event, api, rollout, medium, until] = row.cells;
  const [said, note, saidAt] = api.children;
  setText(phaseCell.firstElementChild, phaseTexts.get(site.phase) ?? site.phase);
  setProgress(phaseCell, site.percent);
  setText(event.firstElementChild, site.word ?? '');
  setTime(event.lastElementChild, site.at);
  setText(said, site.api?.word ?? '');
  setText(note, site.api?.note ?? '');
  setTime(saidAt, site.api?.at);
  setText(rollout.firstElementChild, site.rollout ?? '');
  setText(medium.firstElementChild, site.medium ?? '');
  setTime(until.firstElementChild, site.until, site.untilText);
  return row;
}

function remove(name) {
  rows.get(name)?.remove();
  rows.delete(name);
}

function take(sites) {
  for (const { name } of sites.filter(({ isRemoved }) => isRemoved)) remove(name);
  filter(sites.filter(({ isRemoved }) => !isRemoved).map(show));
  tally();
}

/** Handles a complete list. The server sends it to browsers whose version it does not know, for example after a restart. */
function takeAll(sites) {
  const names = new Set(sites.map(({ name }) => name));
  for (const name of [...rows.keys()]) if (!names.has(name)) remove(name);
  take(sites);
}

/** Shows the state of the rollouts, one line each. */
function showRollouts(lines) {
  const paragraphs = lines.map((line) => {
    const paragraph = document.createElement('p');
    paragraph.textContent = line;
    return paragraph;
  });
  document.querySelector('#rollouts').replaceChildren(...paragraphs);
}

/** EventSource reconnects after a lost connection, but not after an invalid response. */
const againMs = 30_000;

function listen() {
  const events = new EventSource(table.dataset.events);
  events.addEventListener('open', () => setText(live, 'Live'));
  events.addEventListener('sites', ({ data }) => take(JSON.parse(data)));
  events.addEventListener('all', ({ data }) => takeAll(JSON.parse(data)));
  events.addEventListener('rollouts', ({ data }) => showRollouts(JSON.parse(data)));
  events.addEventListener('error', () => {
    setText(live, 'The server does not answer; the page shows the last known status');
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, againMs);
  });
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  choose();
});
field.addEventListener('input', choose);
for (const [name, link] of links) {
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    phase = name;
    choose();
  });
}
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && event.target === field) {
    field.value = '';
    choose();
  } else if (event.key === '/' && event.target !== field && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    field.focus();
  }
});
choose();
listen();
