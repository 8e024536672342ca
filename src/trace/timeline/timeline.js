// SPDX-License-Identifier: Apache-2.0
// The page: which launch, view, selection and search are shown.

class Timeline {
  constructor(data) {
    this.data = data;
    document.documentElement.dataset.theme =
        matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    units.ticksPerCycle = data.ticks_per_cycle;
    units.clockMhz = data.clock_mhz;
    this.canvas = document.getElementById('canvas');
    this.live = document.getElementById('live');
    this.search = document.getElementById('search');
    this.painter = new Painter(
        this.canvas, document.getElementById('minimap'));
    this.panel = new Panel(data, {
      selectSlice: slice => this.select(slice, true),
      showLine: key => this.bringOutLine(key),
      stepLine: direction => this.stepMarked(direction),
    });
    this.launches = new Map();
    this.writeHead();
    this.showLaunch(0);
    this.input = new Input(this);
  }

  writeHead() {
    const {data} = this;
    const error = data.model_error ?
        `model error ${data.model_error}` : 'model error not measured';
    document.getElementById('facts').textContent =
        `simulated · ${data.chip} · ${data.clock_mhz} MHz · ${error}`;
    document.getElementById('program').textContent = data.program;
    const list = document.getElementById('launch');
    list.replaceChildren(...data.launches.map((launch, i) => element(
        'option', {value: i},
        `${i + 1}: ${launch.kernel}, ${timeText(launch.total)}`)));
    list.hidden = data.launches.length < 2;
    list.addEventListener('change', () => this.showLaunch(Number(list.value)));
    const legend = document.getElementById('legend');
    const entry = (colour, text) => element('span', {},
        element('i', {style: `background:${colour}`}), text);
    const stalls = [[2, 'waits for a flag'], [1, 'not issued yet'],
                    [3, 'barrier'], [4, 'compiler order'], [5, 'queue full'],
                    [6, 'scalar access'], [7, 'other blocks']];
    legend.replaceChildren(
        element('b', {}, 'thin line: pipe stands still'),
        ...stalls.map(([cause, text]) =>
            entry(`var(--stall-${CAUSE_COLOURS[cause]})`, text)),
        element('b', {}, 'foot of a slice:'),
        entry('var(--stall-barrier)', 'lost to bank conflicts, traffic'),
        element('b', {}, 'arrows:'),
        entry('var(--stall-flag)', 'flag'), entry('var(--queue)', 'queue'));
  }

  showLaunch(index) {
    if (!this.launches.has(index)) {
      this.launches.set(index, readLaunch(this.data.launches[index], index));
    }
    this.launch = this.launches.get(index);
    document.getElementById('launch').value = String(index);
    chooseShades(this.launch);
    this.view = new View(this.launch);
    this.line = null;
    this.search.value = '';
    markSlices(this.launch, null);
    this.writeLeftOut();
    this.panel.setLaunch(this.launch);
    this.writeFound(null);
    this.repaint();
  }

  // What of the launch is not on the page.
  writeLeftOut() {
    const {launch} = this;
    const note = document.getElementById('left-out');
    const missing = launch.given - launch.kept;
    note.hidden = missing === 0;
    if (missing === 0) return;
    const out = launch.cores.filter(core => !core.kept);
    const parts = [];
    if (out.length) {
      parts.push(`the slices of ${out.length} of ${launch.cores.length} ` +
          `cores (${out[0].name} to ${out[out.length - 1].name}); their ` +
          'rows show how busy each pipe was');
    }
    if (launch.cut !== null) {
      parts.push(`what starts after ${timeText(launch.cut)} on ` +
          launch.cores.filter(core => core.kept)
              .map(core => core.name).join(', ') +
          ', where thin bars show how busy each pipe was');
    }
    note.textContent = `Left out, to keep the page small ` +
        `(${countText(missing)} of ${countText(launch.given)} slices): ` +
        `${parts.join(', and ')}. A Perfetto trace holds everything.`;
  }

  repaint() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.paintNow());
  }

  paintNow() {
    this.waiting = false;
    this.painter.paint(this.view);
  }

  // Selecting a slice brings out all slices of its line.
  select(slice, reveal = false) {
    this.view.selected = slice;
    if (slice) {
      if (reveal) this.view.reveal(slice);
      this.panel.showSlice(slice);
      const key = lineKey(this.launch, slice.row.kind[slice.index]);
      if (!this.search.value) this.markLine(key);
      const kind = this.launch.kinds[slice.row.kind[slice.index]];
      this.live.textContent = `${kind.name} on ${slice.row.pipe.core.name} ` +
          `${slice.row.pipe.name}, ` +
          timeText(slice.row.end[slice.index] - slice.row.start[slice.index]);
    } else {
      if (!this.search.value) this.markLine(null);
      this.panel.showLine(null);
      this.panel.showLaunch();
    }
    this.repaint();
  }

  markLine(key) {
    if (this.line === key) return;
    this.line = key;
    const kinds = key === null ? null : Uint8Array.from(
        this.launch.kinds, (_, i) => lineKey(this.launch, i) === key ? 1 : 0);
    this.found = kinds;
    markSlices(this.launch, kinds);
  }

  bringOutLine(key) {
    this.search.value = '';
    this.writeFound(null);
    const {selected} = this.view;
    if (selected &&
        lineKey(this.launch, selected.row.kind[selected.index]) !== key) {
      this.view.selected = null;
    }
    this.line = null;
    this.markLine(key);
    this.panel.showLine(key);
    this.repaint();
  }

  find(query) {
    this.search.value = query;
    this.line = null;
    if (!query.trim()) {
      this.found = null;
      markSlices(this.launch, null);
      this.writeFound(null);
    } else {
      this.found = kindsFound(this.launch, query);
      this.writeFound(markSlices(this.launch, this.found));
    }
    this.repaint();
  }

  writeFound(total) {
    document.getElementById('found').textContent = !total ? '' :
        total.count === 0 ? 'none' :
        `${countText(total.count)} slices, ${timeText(total.time)}`;
  }

  stepMarked(direction) {
    const {found} = this;
    if (!found) return;
    const next = nextSlice(this.launch, this.view.selected, direction,
        (row, i) => found[row.kind[i]] === 1);
    if (next) this.select(next, true);
  }

  // Along the row, or to the pipe above or below at the same time.
  stepSlice(along, across) {
    const {selected} = this.view;
    if (!selected) {
      const next = nextSlice(this.launch, null, 1,
          (row, i) => row.start[i] >= this.view.from);
      if (next) this.select(next, true);
      return;
    }
    const {row, index} = selected;
    if (along) {
      const next = index + along;
      if (next >= 0 && next < row.count) this.select({row, index: next}, true);
      return;
    }
    const {rows} = row.pipe.core;
    const other = rows[rows.indexOf(row) + across];
    if (!other || other.count === 0) return;
    const at = upperBound(other.start, row.start[index]) - 1;
    this.select({row: other, index: Math.max(0, at)}, true);
  }

  focusSelection() {
    const {selected} = this.view;
    if (!selected) return;
    const start = selected.row.start[selected.index];
    const end = selected.row.end[selected.index];
    const margin = (end - start) * 1.5;
    this.view.show(start - margin, end + margin);
    this.view.reveal(selected);
    this.repaint();
  }

  openAll(isOpen) {
    this.view.open = new Set(
        isOpen ? this.launch.cores.filter(core => core.kept) : []);
    this.view.place();
    this.repaint();
  }

  setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    this.painter.readColours();
    this.repaint();
  }

  switchTheme() {
    const now = document.documentElement.dataset.theme;
    this.setTheme(now === 'dark' ? 'light' : 'dark');
  }

  // #launch=2&from=1.5&to=3 (µs)&search=Add&open=aiv 0,aiv 1&
  // select=aiv 0/V/12&theme=dark
  readFragment() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (wanted.has('theme')) this.setTheme(wanted.get('theme'));
    const launch = Number(wanted.get('launch')) - 1;
    if (this.data.launches[launch]) this.showLaunch(launch);
    if (wanted.has('open')) {
      const names = wanted.get('open').split(',');
      this.view.open = new Set(this.launch.cores.filter(
          core => core.kept && names.includes(core.name)));
      this.view.place();
    }
    if (wanted.has('from') && wanted.has('to')) {
      this.view.show(ticksOf(Number(wanted.get('from')) * 1000),
                     ticksOf(Number(wanted.get('to')) * 1000));
    }
    if (wanted.has('search')) this.find(wanted.get('search'));
    if (wanted.has('select')) {
      const [name, pipeName, index] = wanted.get('select').split('/');
      const core = this.launch.cores.find(c => c.name === name);
      const row = core && core.rows.find(r => r.pipe.name === pipeName);
      if (row && Number(index) < row.count) {
        this.select({row, index: Number(index)});
      }
    }
    this.repaint();
  }

  fit() {
    this.view.fit();
    this.repaint();
  }
}

const timeline =
    new Timeline(JSON.parse(document.getElementById('data').textContent));
timeline.readFragment();
window.belayTimeline = timeline;
