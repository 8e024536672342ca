// SPDX-License-Identifier: Apache-2.0
// Puts the page together.

function tile(value, name) {
  return element('div', {class: 'tile'}, element('b', {}, value),
                 element('span', {}, name));
}

function drawSummary() {
  const all = report.summary.groups.find((group) => group.kind === 'all');
  const tiles = [
    tile(countText(all.tasks), all.tasks === 1 ? 'task' : 'tasks'),
    tile(countText(all.samples), all.samples === 1 ? 'sample' : 'samples'),
    tile(intervalText(all.compile_at?.['1']).split(' (')[0], 'compile@1'),
    tile(intervalText(all.pass_at?.['1']).split(' (')[0],
         `pass@1, 95 % ${(intervalText(all.pass_at?.['1']).match(
             /\(.*\)/) ?? [''])[0]}`),
    tile(countText(all.lucky), 'lucky samples: right values, but a finding'),
    tile(intervalText(all.fast?.['1']).split(' (')[0], 'fast 1'),
    tile(all.share_of_bound ? percentText(all.share_of_bound) : '–',
         'of the hardware bound (median)'),
  ];
  if (report.summary.level_score !== undefined &&
      report.summary.level_score !== null) {
    tiles.push(tile(report.summary.level_score.toFixed(3),
                    'NPUKernelBench level score'));
  }
  if (all.infrastructure) {
    tiles.push(tile(countText(all.infrastructure),
                    'not judged: infrastructure failed'));
  }
  byId('summary').replaceChildren(...tiles);
}

function drawDifference() {
  const other = report.other;
  byId('difference').hidden = !other;
  if (!other) return;
  byId('other-name').textContent = other.name;
  byId('difference-summary').textContent = other.text;
  drawChanges(byId('changes'), other.changes);
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
}

function setUpKeys() {
  byId('theme').addEventListener('click', () => setTheme(
      document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
  addEventListener('keydown', (event) => {
    const typing = /INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName);
    if (event.key === 'Escape') closeDetail();
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 't') byId('theme').click();
    if (event.key === '/') {
      event.preventDefault();
      byId('filter-text').focus();
    }
  });
}

setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
byId('run-name').textContent = report.name;
byId('facts').textContent = report.facts;
drawSummary();
drawPassAtK(byId('pass-chart'), [
  report.summary.groups.find((group) => group.kind === 'all'),
  ...(report.other ? [report.other.all] : [])]);
drawFastP(byId('fast-chart'), [report, ...(report.other ? [report.other] : [])]);
drawRoofline(byId('roofline'), report.chip);
drawGroups(byId('groups'), report.summary.groups);
drawErrorClasses(byId('errors'), byId('error-classes'),
                 report.summary.error_classes);
drawDifference();
setUpKernels();
setUpKeys();
const wanted = /^#kernel-(\d+)$/.exec(location.hash);
if (wanted && kernels[Number(wanted[1])]) openDetail(kernels[Number(wanted[1])]);
