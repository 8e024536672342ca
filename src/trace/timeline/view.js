// SPDX-License-Identifier: Apache-2.0
// What is in view, and where on the canvas things lie.

const GUTTER = 200;
const RULER = 26;
const SIZES = {
  summary: 15, memory: 44, core: 24, manyCores: 16, pipe: 24, row: 13,
  levels: 26,
};
// Cores that are open when the page opens.
const FIRST_OPEN = 2;
// With more cores than this closed ones are drawn smaller.
const MANY_CORES = 16;

class View {
  constructor(launch) {
    this.launch = launch;
    this.width = 0;
    this.height = 0;
    this.scroll = 0;
    this.open = new Set(
        launch.cores.filter(core => core.kept).slice(0, FIRST_OPEN));
    this.selected = null;  // {row, index}
    this.range = null;     // [from, to], measured by hand
    this.fit();
    this.place();
  }

  get plotWidth() { return Math.max(1, this.width - GUTTER); }

  xOf(time) {
    return GUTTER + (time - this.from) / (this.to - this.from) * this.plotWidth;
  }

  timeOf(x) {
    return this.from + (x - GUTTER) / this.plotWidth * (this.to - this.from);
  }

  fit() {
    const margin = this.launch.total * 0.01;
    this.from = -margin;
    this.to = this.launch.total + margin;
  }

  // The whole launch and a little around it; at the closest 20 cycles.
  show(from, to) {
    const least = 20 * units.ticksPerCycle;
    const most = Math.max(this.launch.total * 1.02, least);
    const length = Math.min(most, Math.max(least, to - from));
    const low = -this.launch.total * 0.01;
    const high = Math.max(this.launch.total * 1.01, low + least);
    const middle = (from + to) / 2;
    this.from = Math.max(low, Math.min(high - length, middle - length / 2));
    this.to = this.from + length;
  }

  // The part of the launch in view.
  inLaunch() {
    return [Math.max(0, this.from), Math.min(this.launch.total, this.to)];
  }

  // Closer by `factor` around a time that stays where it is.
  zoom(factor, time) {
    const share = (time - this.from) / (this.to - this.from);
    const length = (this.to - this.from) / factor;
    const from = time - share * length;
    this.show(from, from + length);
  }

  pan(share) {
    const step = share * (this.to - this.from);
    this.show(this.from + step, this.to + step);
  }

  scrollTo(y) {
    const most = Math.max(0, this.contentHeight - (this.height - RULER));
    this.scroll = Math.max(0, Math.min(most, y));
  }

  toggle(core) {
    if (!this.open.delete(core)) this.open.add(core);
    this.place();
  }

  // Lays the strips out from top to bottom; y counts from below the ruler.
  place() {
    const strips = [];
    let y = 4;
    const add = (strip, height) => {
      strips.push({...strip, y, height});
      y += height;
    };
    for (const pipe of this.launch.pipes) {
      add({type: 'summary', pipe, first: pipe === this.launch.pipes[0]},
          SIZES.summary);
    }
    if (this.launch.memory.count) add({type: 'memory'}, SIZES.memory);
    y += 6;
    const {cores} = this.launch;
    const closed = cores.length > MANY_CORES ? SIZES.manyCores : SIZES.core;
    for (const core of cores) {
      const isOpen = this.open.has(core) && core.kept;
      add({type: 'core', core, isOpen}, isOpen ? SIZES.core : closed);
      if (!isOpen) continue;
      for (const pipe of core.pipes) {
        const rows = Math.max(1, pipe.rows.length);
        add({type: 'pipe', core, pipe},
            rows === 1 ? SIZES.pipe : rows * SIZES.row + 2);
      }
      for (const levels of core.levels) {
        add({type: 'levels', core, levels}, SIZES.levels);
      }
      y += 6;
    }
    this.strips = strips;
    this.contentHeight = y + 8;
    this.scrollTo(this.scroll);
  }

  yOf(strip) { return strip.y - this.scroll + RULER; }

  stripAt(y) {
    const at = y - RULER + this.scroll;
    return this.strips.find(s => at >= s.y && at < s.y + s.height) || null;
  }

  stripOf(pipe) {
    return this.strips.find(s => s.type === 'pipe' && s.pipe === pipe) || null;
  }

  // Top and height of a row of a pipe's strip.
  rowBox(strip, row) {
    const rows = strip.pipe.rows.length;
    const y = this.yOf(strip) + 2;
    if (rows === 1) return {y, height: strip.height - 5};
    const index = strip.pipe.rows.indexOf(row);
    return {y: y + index * SIZES.row, height: SIZES.row - 2};
  }

  // Where a slice is drawn; null when its core is closed.
  boxOf(slice) {
    const strip = this.stripOf(slice.row.pipe);
    if (!strip) return null;
    const {y, height} = this.rowBox(strip, slice.row);
    const x = this.xOf(slice.row.start[slice.index]);
    const right = this.xOf(slice.row.end[slice.index]);
    return {x, y, width: Math.max(1, right - x), height};
  }

  // The slice under a point, within two pixels.
  sliceAt(x, y) {
    const strip = x < GUTTER || y < RULER ? null : this.stripAt(y);
    if (!strip || strip.type !== 'pipe') return null;
    const time = this.timeOf(x);
    const near = 2 * (this.to - this.from) / this.plotWidth;
    let best = null;
    for (const row of strip.pipe.rows) {
      const box = this.rowBox(strip, row);
      if (y < box.y - 1 || y > box.y + box.height + 1) continue;
      const after = upperBound(row.start, time);
      for (const index of [after - 1, after]) {
        if (index < 0 || index >= row.count) continue;
        const distance = Math.max(
            0, row.start[index] - time, time - row.end[index]);
        if (distance <= near && (!best || distance < best.distance)) {
          best = {row, index, distance};
        }
      }
    }
    return best && {row: best.row, index: best.index};
  }

  // Brings a slice into view, opening its core; zooms only when it is tiny.
  reveal(slice) {
    const core = slice.row.pipe.core;
    if (!this.open.has(core)) this.toggle(core);
    const start = slice.row.start[slice.index];
    const end = slice.row.end[slice.index];
    const length = this.to - this.from;
    if (start < this.from || end > this.to) {
      this.show((start + end - length) / 2, (start + end + length) / 2);
    }
    if ((end - start) / length * this.plotWidth < 3) {
      const wide = Math.max(end - start, units.ticksPerCycle) * 40;
      this.show((start + end - wide) / 2, (start + end + wide) / 2);
    }
    const strip = this.stripOf(slice.row.pipe);
    const y = this.yOf(strip);
    if (y < RULER + 4 || y + strip.height > this.height) {
      this.scrollTo(strip.y - (this.height - RULER) / 3);
    }
  }
}
