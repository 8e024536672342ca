// SPDX-License-Identifier: Apache-2.0
// Put behind the scripts of a report by test_report.cpp: uses the page as a
// reader would and writes what it saw into the document as JSON.

(() => {
  const errors = [];
  window.addEventListener('error', (event) => errors.push(event.message));
  document.addEventListener(
      'securitypolicyviolation', (event) => errors.push(event.blockedURI));
  const seen = {};
  const all = (selector) => [...document.querySelectorAll(selector)];
  const texts = (selector) => all(selector).map((one) => one.textContent);
  const rows = () => all('#kernels tbody tr');
  const column = (number) =>
      rows().map((row) => row.children[number].textContent);
  const choose = (id, value) => {
    const select = document.getElementById(id);
    select.value = value;
    select.dispatchEvent(new Event('change'));
  };
  const type = (text) => {
    const input = document.getElementById('filter-text');
    input.value = text;
    input.dispatchEvent(new Event('input'));
  };
  const key = (name) =>
      dispatchEvent(new KeyboardEvent('keydown', {key: name}));

  seen.title = document.title;
  seen.tiles = texts('#summary .tile');
  seen.charts = all('.charts svg').length;
  seen.points = all('.point').length;
  seen.groups = texts('#groups tbody tr td:first-child');
  seen.errorClasses = texts('#error-classes .bar');
  seen.difference = texts('#changes tbody tr');
  seen.differenceText =
      document.getElementById('difference-summary').textContent;
  seen.rows = rows().length;

  choose('filter-outcome', 'lucky');
  seen.luckyRows = column(7);
  choose('filter-outcome', '');
  type('norm');
  seen.normRows = column(0);
  type('');
  all('#kernels thead button')[11].click();
  seen.bySpeedup = column(11);
  all('#kernels thead button')[11].click();
  seen.bySpeedupRising = column(11);

  rows().find((row) => row.textContent.includes('lucky')).click();
  const detail = document.getElementById('detail');
  seen.detailShown = !detail.hidden;
  seen.detailTitle = detail.querySelector('h2').textContent;
  seen.note = texts('#detail .source .note');
  seen.foundLine = detail.querySelector('.source .found').textContent;
  detail.querySelector('.finding a').click();
  seen.lit = detail.querySelector('.lit').dataset.place;
  seen.slices = all('#detail rect').length;
  seen.markup = all('#detail .source b').length;
  key('Escape');
  seen.detailClosed = detail.hidden;

  const before = document.documentElement.dataset.theme;
  key('t');
  seen.themes = [before, document.documentElement.dataset.theme].sort();
  seen.wide = document.documentElement.scrollWidth <= innerWidth;
  seen.errors = errors;

  const result = document.createElement('pre');
  result.id = 'test-result';
  result.textContent = JSON.stringify(seen);
  document.body.append(result);
})();
