// SPDX-License-Identifier: Apache-2.0
// One kernel: verdict, findings at their lines, times, timeline, source.

function drawTimeline(timeline, litLine) {
  const pipes = [...new Set(timeline.slices.map((slice) => slice.pipe))];
  const width = 800, row = 20, left = 50;
  const height = pipes.length * row + 24;
  const end = Math.max(1e-9, ...timeline.slices.map((slice) => slice.end));
  const x = scale(0, end, left, width - 6);
  const svg = drawing('svg', {
    viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': 'What the pipes of the first core did, over simulated time',
  });
  pipes.forEach((pipe, number) => svg.append(
      drawing('text', {x: left - 6, y: number * row + 14,
                       'text-anchor': 'end'}, pipe),
      drawing('line', {class: 'grid', x1: left, x2: width - 6,
                       y1: (number + 1) * row, y2: (number + 1) * row})));
  for (const slice of timeline.slices) {
    svg.append(drawing('rect', {
      x: x(slice.begin), y: pipes.indexOf(slice.pipe) * row + 3,
      width: Math.max(0.4, x(slice.end) - x(slice.begin)), height: row - 6,
      fill: `var(--pipe-${slice.pipe.toLowerCase()}, var(--pipe-s))`,
      onmousemove: (event) => showTip(
          event, `${slice.what}\n${timeText(slice.end - slice.begin)} at ` +
              `${timeText(slice.begin) }` +
              (slice.file ? `\n${slice.file}:${slice.line}` : '')),
      onmouseleave: hideTip,
      onclick: () => slice.file && litLine(slice.file, slice.line),
    }));
  }
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(drawing('text', {x: x(share * end), y: height - 6,
                                'text-anchor': 'middle'},
                       share ? timeText(share * end) : '0'));
  }
  return svg;
}

function drawSource(file, findings) {
  const notes = new Map();
  for (const finding of findings) {
    const place = finding.diagnostic.location;
    if (!place || place.file !== file.path) continue;
    notes.set(place.line, [...(notes.get(place.line) ?? []), finding]);
  }
  const box = element('div', {class: 'source', tabindex: 0,
                              'aria-label': file.path});
  file.text.replace(/\n$/, '').split('\n').forEach((text, at) => {
    const found = notes.get(at + 1);
    box.append(element('div', {
      class: found ? 'found' : '', 'data-place': `${file.path}:${at + 1}`,
    }, element('span', {class: 'number'}, String(at + 1)), text));
    for (const finding of found ?? []) {
      const diagnostic = finding.diagnostic;
      box.append(element('div', {class: 'note'},
                         `${diagnostic.severity}: ${diagnostic.message} ` +
                         `[${diagnostic.code}]` +
                         (diagnostic.fix ? `\n→ ${diagnostic.fix}` : '')));
    }
  });
  return box;
}

function litLine(file, line) {
  const detail = byId('detail');
  for (const lit of detail.querySelectorAll('.lit')) lit.classList.remove('lit');
  for (const row of detail.querySelectorAll('[data-place]')) {
    if (row.dataset.place !== `${file}:${line}`) continue;
    row.classList.add('lit');
    row.scrollIntoView({block: 'center'});
  }
}

function plainTable(names, rows) {
  const columns = names.map((name, i) => ({
    name: name.replace(/^#/, ''), number: name.startsWith('#'),
    text: (row) => row[i],
  }));
  const body = element('tbody');
  for (const row of rows) body.append(element('tr', {}, ...cells(columns, row)));
  return element('div', {class: 'scroll'},
                 element('table', {}, head(columns), body));
}

function findingLine(finding) {
  const diagnostic = finding.diagnostic;
  const place = diagnostic.location;
  const known = place && place.file;
  return element(
      'div', {class: 'finding'},
      element('code', {}, diagnostic.code), ' ',
      known ? element('a', {
        tabindex: 0, onclick: () => litLine(place.file, place.line),
      }, `${place.file}:${place.line}`) : '',
      ` ${diagnostic.severity}: ${diagnostic.message}` +
      (finding.cases > 1 ? ` (${finding.cases} calls)` : ''));
}

function sectionOf(title, ...content) {
  return [element('h3', {}, title), ...content];
}

function detailOf(kernel) {
  const verdict = kernel.verdict;
  const parts = [
    element('button', {class: 'close', onclick: closeDetail,
                       title: 'Close (Esc)'}, 'Close'),
    element('h2', {}, verdict.task),
    element('p', {}, outcomeCell(verdict.outcome),
            verdict.reason ? ` — ${verdict.reason}` : ''),
    element('p', {class: 'facts'},
            `${verdict.candidate.kind} ${verdict.candidate.name}, sample ` +
            `${kernel.sample}, ${verdict.problem} problem, hash ` +
            `${verdict.candidate.hash}; reached ${verdict.reached}; ` +
            `${countText(verdict.calls.passed)} of ` +
            `${countText(verdict.calls.to_pass)} calls right` +
            (verdict.error_class ? `; class: ${verdict.error_class}` : '')),
  ];
  const manifest = Object.entries(kernel.manifest);
  if (manifest.length) {
    parts.push(...sectionOf('Sample', plainTable(
        ['key', 'value'],
        manifest.map(([key, value]) => [key, JSON.stringify(value)]))));
  }
  if (verdict.flags.length) {
    parts.push(...sectionOf('Flags', ...verdict.flags.map(
        (flag) => element('p', {}, `${flag.name} (rule ${flag.rule}): ` +
                          flag.text))));
  }
  if (verdict.failures.length) {
    parts.push(...sectionOf('Calls that failed', plainTable(
        ['case', 'seed', 'regime', 'outcome', 'reason'],
        verdict.failures.map((failure) => [
          failure.case, failure.seed, failure.regime,
          outcomeCell(failure.outcome), failure.reason]))));
  }
  if (verdict.findings.length) {
    parts.push(...sectionOf('Findings', ...verdict.findings.map(findingLine)));
  }
  if (verdict.times.length) {
    parts.push(...sectionOf('Simulated times', plainTable(
        ['case', '#elements', '#simulated', '#bound', '#of the bound', 'by',
         '#modelled eager', '#speedup', '#HAP', 'note'],
        verdict.times.map((time) => [
          time.case, countText(time.elements), timeText(time.simulated_us),
          timeText(time.bound_us),
          time.simulated_us ?
              percentText(time.bound_us / time.simulated_us) : '–',
          time.binding, timeText(time.modelled_eager_us['85']),
          digits(time.speedup), time.hap.toFixed(3), time.reason]))));
  }
  const timeline = kernel.extras.timeline;
  if (timeline && timeline.slices.length) {
    parts.push(...sectionOf(
        `Timeline of the first core, ${timeline.case}` +
            (timeline.cut ? ' (its beginning)' : ''),
        drawTimeline(timeline, litLine)));
  }
  for (const file of kernel.files) {
    parts.push(...sectionOf(file.path, drawSource(file, verdict.findings)));
  }
  return parts;
}

function openDetail(kernel) {
  const detail = byId('detail');
  detail.replaceChildren(...detailOf(kernel));
  detail.hidden = false;
  detail.scrollTop = 0;
  detail.focus();
  for (const row of byId('kernels').querySelectorAll('tbody tr')) {
    row.setAttribute('aria-selected',
                     String(row.dataset.kernel === String(kernel.index)));
  }
  history.replaceState(null, '', `#kernel-${kernel.index}`);
}

function closeDetail() {
  byId('detail').hidden = true;
  hideTip();
  history.replaceState(null, '', '#');
}
