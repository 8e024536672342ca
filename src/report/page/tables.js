// SPDX-License-Identifier: Apache-2.0
// Groups, changes between two runs, and the sortable table of kernels.

function head(columns) {
  const row = element('tr');
  for (const column of columns) {
    row.append(element('th', {class: column.number ? 'number' : '',
                              scope: 'col'}, column.name));
  }
  return element('thead', {}, row);
}

function cells(columns, item) {
  return columns.map((column) => {
    const value = column.text(item);
    return element('td', {class: column.number ? 'number' : ''},
                   value instanceof Node ? value : String(value));
  });
}

function drawGroups(table, groups) {
  const columns = [
    {name: 'group', text: (group) => group.name},
    {name: 'tasks', number: true, text: (group) => group.tasks},
    {name: 'samples', number: true, text: (group) => group.samples},
    {name: 'compile@1', number: true,
     text: (group) => intervalText(group.compile_at?.['1'])},
    {name: 'pass@1', number: true,
     text: (group) => intervalText(group.pass_at?.['1'])},
    {name: 'lucky', number: true, text: (group) => group.lucky},
    {name: 'fast 0.8', number: true,
     text: (group) => intervalText(group.fast?.['0.8'])},
    {name: 'fast 1', number: true,
     text: (group) => intervalText(group.fast?.['1'])},
    {name: 'of the bound', number: true,
     text: (group) => group.share_of_bound ?
         percentText(group.share_of_bound) : '–'},
    {name: 'HAP', number: true,
     text: (group) => group.hap?.value ? group.hap.value.toFixed(3) : '–'},
  ];
  const body = element('tbody');
  for (const group of groups) {
    body.append(element('tr', {
      class: group.kind === 'category' ? 'category' : 'total',
    }, ...cells(columns, group)));
  }
  table.replaceChildren(head(columns), body);
}

function drawErrorClasses(section, into, classes) {
  const entries = Object.entries(classes ?? {}).sort((a, b) => b[1] - a[1]);
  section.hidden = entries.length === 0;
  const most = Math.max(1, ...entries.map(([, count]) => count));
  into.replaceChildren(...entries.map(([name, count]) => element(
      'div', {class: 'bar'}, element('span', {}, name),
      element('i', {style: `width:${count / most * 420}px`}),
      element('span', {}, countText(count)))));
}

function outcomeCell(outcome) {
  return element('span', {class: `outcome ${outcome}`}, outcome);
}

function drawChanges(table, changes) {
  const columns = [
    {name: 'task', text: (change) => change.task},
    {name: 'was', text: (change) => outcomeCell(change.first)},
    {name: 'is', text: (change) => outcomeCell(change.second)},
    {name: 'was, simulated', number: true,
     text: (change) => timeText(change.first_us)},
    {name: 'is, simulated', number: true,
     text: (change) => timeText(change.second_us)},
    {name: 'times as fast', number: true,
     text: (change) => change.first_us && change.second_us ?
         digits(change.first_us / change.second_us) : '–'},
  ];
  const body = element('tbody');
  for (const change of changes) {
    body.append(element('tr', {}, ...cells(columns, change)));
  }
  table.replaceChildren(head(columns), body);
}

const kernelColumns = [
  {name: 'task', key: (kernel) => kernel.verdict.task},
  {name: 'level', number: true, key: (kernel) => kernel.verdict.level},
  {name: 'category', key: (kernel) => kernel.verdict.category},
  {name: 'problem', key: (kernel) => kernel.verdict.problem},
  {name: 'sample', key: (kernel) => kernel.sample},
  {name: 'model', key: modelOf},
  {name: 'kind', key: (kernel) => kernel.verdict.candidate.kind},
  {name: 'outcome', key: (kernel) => kernel.verdict.outcome,
   text: (kernel) => outcomeCell(kernel.verdict.outcome)},
  {name: 'calls right', number: true,
   key: (kernel) => kernel.verdict.calls.share,
   text: (kernel) => percentText(kernel.verdict.calls.share, 0)},
  {name: 'simulated', number: true,
   key: (kernel) => kernel.figures.simulated,
   text: (kernel) => timeText(kernel.figures.simulated)},
  {name: 'of the bound', number: true, key: (kernel) => kernel.figures.share,
   text: (kernel) => kernel.figures.share ?
       percentText(kernel.figures.share) : '–'},
  {name: 'speedup', number: true, key: (kernel) => kernel.figures.speedup,
   text: (kernel) => kernel.figures.speedup ?
       digits(kernel.figures.speedup) : '–'},
  {name: 'HAP', number: true, key: (kernel) => kernel.figures.hap,
   text: (kernel) => kernel.figures.hap ?
       kernel.figures.hap.toFixed(3) : '–'},
  {name: 'flags', key: (kernel) =>
    kernel.verdict.flags.map((flag) => flag.name).join(', ')},
].map((column) => ({text: column.key, ...column}));

// How the table of kernels is shown now.
const shown = {column: 0, descending: false};

function matches(kernel) {
  const level = byId('filter-level').value;
  const category = byId('filter-category').value;
  const outcome = byId('filter-outcome').value;
  const words = byId('filter-text').value.toLowerCase().split(/\s+/);
  const verdict = kernel.verdict;
  const text = [verdict.task, kernel.sample, modelOf(kernel), verdict.reason,
                verdict.error_class, verdict.outcome,
                ...verdict.flags.map((flag) => flag.name)]
      .join(' ').toLowerCase();
  return (!level || String(verdict.level) === level) &&
      (!category || verdict.category === category) &&
      (!outcome || verdict.outcome === outcome) &&
      words.every((word) => text.includes(word));
}

function compareKeys(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', {numeric: true});
}

function drawKernels() {
  const table = byId('kernels');
  const sorting = kernelColumns[shown.column];
  const rows = kernels.filter(matches).sort((a, b) => {
    const order = compareKeys(sorting.key(a), sorting.key(b));
    return (shown.descending ? -order : order) || a.index - b.index;
  });
  const headRow = element('tr');
  kernelColumns.forEach((column, number) => {
    const active = number === shown.column;
    const mark = active ? (shown.descending ? ' ▾' : ' ▴') : '';
    headRow.append(element('th', {
      class: column.number ? 'number' : '', scope: 'col',
      'aria-sort': active ?
          (shown.descending ? 'descending' : 'ascending') : 'none',
    }, element('button', {
      onclick: () => {
        shown.descending = active ? !shown.descending : Boolean(column.number);
        shown.column = number;
        drawKernels();
      },
    }, column.name + mark)));
  });
  const body = element('tbody');
  for (const kernel of rows) {
    body.append(element('tr', {
      tabindex: 0, 'data-kernel': kernel.index,
      onclick: () => openDetail(kernel),
      onkeydown: (event) => {
        if (event.key === 'Enter') openDetail(kernel);
      },
    }, ...cells(kernelColumns, kernel)));
  }
  table.replaceChildren(element('thead', {}, headRow), body);
  byId('filter-count').textContent =
      `${countText(rows.length)} of ${countText(kernels.length)}`;
}

function fillFilter(id, name, values) {
  const select = byId(id);
  select.replaceChildren(
      element('option', {value: ''}, name),
      ...[...new Set(values)].sort(compareKeys).map(
          (value) => element('option', {value}, String(value))));
  select.addEventListener('change', drawKernels);
}

function setUpKernels() {
  fillFilter('filter-level', 'all levels',
             kernels.map((kernel) => kernel.verdict.level));
  fillFilter('filter-category', 'all categories',
             kernels.map((kernel) => kernel.verdict.category));
  fillFilter('filter-outcome', 'all outcomes',
             kernels.map((kernel) => kernel.verdict.outcome));
  byId('filter-text').addEventListener('input', drawKernels);
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
  drawKernels();
}
