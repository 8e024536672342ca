// SPDX-License-Identifier: Apache-2.0
// Paints a view. Cost O(pixels), however many slices there are.

class Painter {
  constructor(canvas, minimap) {
    this.canvas = canvas;
    this.minimap = new Minimap(minimap);
    this.readColours();
  }

  readColours() {
    Object.assign(this, readColours());
  }

  paint(view) {
    const {context, width, height} = prepareCanvas(this.canvas);
    this.c = context;
    this.view = view;
    view.width = width;
    view.height = height;
    view.scrollTo(view.scroll);
    this.c.fillStyle = this.colour.background;
    this.c.fillRect(0, 0, width, height);
    this.c.fillStyle = this.colour.gutter;
    this.c.fillRect(0, RULER, GUTTER, height);
    this.paintEdges();
    this.paintGrid();
    for (const strip of view.strips) {
      const y = view.yOf(strip);
      if (y + strip.height < RULER || y > height) continue;
      this.paintStrip(strip, y);
    }
    this.clipPlot();
    this.paintRange();
    this.paintArrows();
    this.paintSelection();
    this.c.restore();
    this.paintRuler();
    this.paintScrollBar();
    this.minimap.paint(view, this);
  }

  paintScrollBar() {
    const {view, c} = this;
    const room = view.height - RULER;
    if (view.contentHeight <= room) return;
    const share = room / view.contentHeight;
    c.fillStyle = this.colour.faint;
    c.globalAlpha = 0.5;
    c.fillRect(view.width - 5, RULER + view.scroll * share, 4, room * share);
    c.globalAlpha = 1;
  }

  clipPlot() {
    const {view, c} = this;
    c.save();
    c.beginPath();
    c.rect(GUTTER, RULER, view.plotWidth, view.height - RULER);
    c.clip();
  }

  // Before the first instruction and after the last one.
  paintEdges() {
    const {view, c} = this;
    const {launch} = view;
    const edges = [[0, launch.launch, 'launch'],
                   [launch.total - launch.finish, launch.total, 'end']];
    this.clipPlot();
    for (const [from, to, name] of edges) {
      const x = view.xOf(from);
      const width = view.xOf(to) - x;
      if (width < 1) continue;
      c.fillStyle = this.colour.band;
      c.fillRect(x, RULER, width, view.height);
      if (width > 50) {
        this.label(name, x + 6, view.height - 10, width - 8, this.colour.faint);
      }
    }
    c.restore();
  }

  gridStep() {
    const nsPerPixel =
        nanosecondsOf(this.view.to - this.view.from) / this.view.plotWidth;
    return roundStep(nsPerPixel * 100);
  }

  eachGridLine(visit) {
    const step = this.gridStep();
    const first = Math.ceil(nanosecondsOf(this.view.from) / step);
    const last = Math.floor(nanosecondsOf(this.view.to) / step);
    for (let i = Math.max(0, first); i <= last; ++i) {
      visit(ticksOf(i * step), step);
    }
  }

  paintGrid() {
    const {view, c} = this;
    c.fillStyle = this.colour.line;
    this.eachGridLine(time => {
      const x = Math.round(view.xOf(time));
      if (x >= GUTTER) c.fillRect(x, RULER, 1, view.height - RULER);
    });
  }

  paintRuler() {
    const {view, c} = this;
    c.fillStyle = this.colour.gutter;
    c.fillRect(0, 0, view.width, RULER);
    c.fillStyle = this.colour.line;
    c.fillRect(0, RULER - 1, view.width, 1);
    c.fillRect(GUTTER - 1, 0, 1, view.height);
    this.eachGridLine((time, step) => {
      const x = Math.round(view.xOf(time));
      if (x < GUTTER) return;
      c.fillStyle = this.colour.faint;
      c.fillRect(x, RULER - 7, 1, 6);
      if (x + 60 > view.width) return;
      this.label(clockText(time, step), x + 4, RULER / 2, 120,
                 this.colour.text);
    });
    c.fillStyle = this.colour.gutter;
    c.fillRect(0, 0, GUTTER - 1, RULER - 1);
    this.label('busy in view', GUTTER - 84, RULER / 2, 80, this.colour.faint,
               this.small);
  }

  label(text, x, y, room, colour, font = this.font) {
    const {c} = this;
    c.font = font;
    c.textBaseline = 'middle';
    c.fillStyle = colour;
    const width = c.measureText(text).width;
    if (width > room) text = this.shorter(text, room / width);
    c.fillText(text, x, y);
  }

  // What can be said of a text in a part of its room: its first word, or the
  // beginning of it.
  shorter(text, share) {
    const fits = Math.floor(share * text.length) - 1;
    const word = text.split(' ')[0];
    if (word.length <= fits + 1) return word;
    return fits < 2 ? '' : text.slice(0, fits) + '…';
  }

  paintStrip(strip, y) {
    this.clipPlot();
    if (strip.type === 'summary') this.paintSummary(strip, y);
    if (strip.type === 'memory') this.paintMemory(strip, y);
    if (strip.type === 'levels') this.paintLevels(strip, y);
    if (strip.type === 'core') this.paintCore(strip, y);
    if (strip.type === 'pipe') this.paintPipe(strip);
    this.c.restore();
    this.c.save();
    this.c.beginPath();
    this.c.rect(0, RULER, GUTTER - 1, this.view.height - RULER);
    this.c.clip();
    this.paintGutter(strip, y);
    this.c.restore();
  }

  paintGutter(strip, y) {
    const {c} = this;
    const middle = y + strip.height / 2;
    if (strip.type === 'core') {
      c.fillStyle = this.colour.strip;
      c.fillRect(0, y, GUTTER - 1, strip.height - 1);
      const sign = !strip.core.kept ? '·' : strip.isOpen ? '▾' : '▸';
      this.label(sign, 8, middle, 20, this.colour.faint);
      this.label(strip.core.name, 24, middle, 80, this.colour.text,
                 strip.height < SIZES.core ? this.small : this.font);
      if (strip.core.blocks > 1) {
        this.label(`${strip.core.blocks} blocks`, 74, middle, 80,
                   this.colour.faint, this.small);
      }
    }
    if (strip.type === 'summary') {
      if (strip.first) this.label('all', 8, middle, 30, this.colour.text);
      this.gauge(PIPES[strip.pipe], strip.pipe, strip.share, middle);
    }
    if (strip.type === 'pipe') {
      const share = utilisation(strip.pipe, ...this.view.inLaunch());
      this.gauge(strip.pipe.name, strip.pipe.pipe, share, middle);
    }
    if (strip.type === 'memory') {
      this.label('HBM', 24, y + 12, 60, this.colour.text);
      [[60, 4, 'read'], [112, 5, 'written']].forEach(([x, pipe, name]) => {
        c.fillStyle = this.pipes[pipe];
        c.fillRect(x, y + 8, 8, 8);
        this.label(name, x + 13, y + 12, 60, this.colour.faint, this.small);
      });
      const {memory} = this.view.launch;
      this.label(`peak ${rateText(memory.peak, memory.width)}`, 24, y + 28, 160,
                 this.colour.faint, this.small);
    }
    if (strip.type === 'levels') {
      this.label(`${strip.levels.memory} in use`, 36, middle, 70,
                 this.colour.text, this.small);
      this.label(`peak ${bytesText(strip.levels.peak)}`, 106, middle, 90,
                 this.colour.faint, this.small);
    }
  }

  gauge(name, pipe, share, middle) {
    const {c} = this;
    c.fillStyle = this.pipes[pipe];
    c.fillRect(36, middle - 4, 8, 8);
    this.label(name, 50, middle, 50, this.colour.text, this.small);
    const width = 54;
    c.fillStyle = this.colour.line;
    c.fillRect(92, middle - 3, width, 6);
    c.fillStyle = this.pipes[pipe];
    c.fillRect(92, middle - 3, width * Math.min(1, share), 6);
    this.label(percentText(share), 152, middle, 46, this.colour.text,
               this.small);
  }

  paintSummary(strip, y) {
    const {view, c} = this;
    const steps = Math.ceil(view.plotWidth / 2);
    const shares = meanUtilisation(
        view.launch, strip.pipe, view.from, view.to, steps);
    const [from, to] = view.inLaunch();
    strip.share = shares.reduce((sum, share) => sum + share, 0) / steps *
        (view.to - view.from) / Math.max(1, to - from);
    const height = strip.height - 3;
    c.fillStyle = this.pipes[strip.pipe];
    for (let i = 0; i < steps; ++i) {
      const bar = height * Math.min(1, shares[i]);
      if (bar > 0.2) {
        c.fillRect(GUTTER + 2 * i, y + strip.height - 1 - bar, 2, bar);
      }
    }
    c.fillStyle = this.colour.line;
    c.fillRect(GUTTER, y + strip.height - 1, view.plotWidth, 1);
  }

  paintMemory(strip, y) {
    const {view, c} = this;
    const {memory} = view.launch;
    const scale = (strip.height - 10) / Math.max(1, memory.peak);
    const bottom = y + strip.height - 2;
    const first = Math.max(0, upperBound(memory.begin, view.from) - 2);
    for (let i = first; i < memory.count; ++i) {
      const x = view.xOf(memory.begin[i]);
      if (x > view.width) break;
      const width = view.xOf(memory.begin[i] + memory.width) - x;
      const read = memory.read[i] * scale;
      const written = memory.written[i] * scale;
      c.fillStyle = this.pipes[4];
      c.fillRect(x, bottom - read, width + 0.5, read);
      c.fillStyle = this.pipes[5];
      c.fillRect(x, bottom - read - written, width + 0.5, written);
    }
    c.fillStyle = this.colour.line;
    c.fillRect(GUTTER, bottom, view.plotWidth, 1);
  }

  paintLevels(strip, y) {
    const {view, c} = this;
    const {at, bytes, count, peak} = strip.levels;
    const bottom = y + strip.height - 3;
    const scale = (strip.height - 8) / Math.max(1, peak);
    let i = Math.max(0, upperBound(at, view.from) - 1);
    c.fillStyle = this.colour.faint;
    while (i < count && at[i] <= view.to) {
      const x = view.xOf(at[i]);
      // The largest level of what falls into one pixel.
      let level = bytes[i];
      let next = i + 1;
      while (next < count && view.xOf(at[next]) < x + 1) {
        level = Math.max(level, bytes[next++]);
      }
      const end = next < count ? at[next] : strip.core.end || view.launch.total;
      c.globalAlpha = 0.55;
      c.fillRect(x, bottom - level * scale, view.xOf(end) - x, level * scale);
      i = next;
    }
    c.globalAlpha = 1;
  }

  // A closed core: a thin line for each pipe.
  paintCore(strip, y) {
    const {view, c} = this;
    c.fillStyle = this.colour.strip;
    c.fillRect(GUTTER, y, view.plotWidth, strip.height - 1);
    if (strip.isOpen) {
      const {core} = strip;
      if (core.end > core.begin) {
        const x = view.xOf(core.begin);
        c.fillStyle = this.colour.line;
        c.fillRect(x, y + 8, view.xOf(core.end) - x, strip.height - 17);
      }
      return;
    }
    const lane = (strip.height - 5) / Math.max(1, strip.core.pipes.length);
    strip.core.pipes.forEach((pipe, i) => {
      this.paintBusy(pipe, y + 2 + i * lane, Math.max(1, lane - 1));
    });
  }

  // Utilisation by pixel.
  paintBusy(pipe, y, height) {
    const {view, c} = this;
    const perPixel = (view.to - view.from) / view.plotWidth;
    c.fillStyle = this.pipes[pipe.pipe];
    let before = busyBefore(pipe.busy, view.from);
    let from = 0;
    let level = 0;
    for (let x = 0; x <= view.plotWidth; ++x) {
      const after = busyBefore(pipe.busy, view.from + (x + 1) * perPixel);
      // In eight steps, so that equal pixels become one rectangle.
      const now = x < view.plotWidth ?
          Math.ceil((after - before) / perPixel * 8 - 0.05) : 0;
      before = after;
      if (now === level) continue;
      if (level > 0) {
        c.globalAlpha = 0.15 + 0.85 * Math.min(1, level / 8);
        c.fillRect(GUTTER + from, y, x - from, height);
      }
      from = x;
      level = now;
    }
    c.globalAlpha = 1;
  }

  paintPipe(strip) {
    for (const row of strip.pipe.rows) {
      const box = this.view.rowBox(strip, row);
      this.paintStalls(row, box);
      this.paintRow(row, box);
    }
    if (this.view.launch.cut !== null) this.paintOutline(strip);
  }

  // How busy a pipe was after the last slice that is on the page.
  paintOutline(strip) {
    const {view, c} = this;
    const x = Math.max(GUTTER, view.xOf(view.launch.cut));
    c.save();
    c.beginPath();
    c.rect(x, RULER, view.width, view.height);
    c.clip();
    this.paintBusy(strip.pipe, view.yOf(strip) + 8, strip.height - 17);
    c.restore();
  }

  paintStalls(row, box) {
    const {view, c} = this;
    const perPixel = (view.to - view.from) / view.plotWidth;
    const y = box.y + box.height / 2 - 2;
    let i = Math.max(0, upperBound(row.end, view.from));
    while (i < row.count) {
      const stall = row.stall[i];
      const start = row.start[i];
      if (start - stall > view.to) break;
      const colour = this.causes[row.cause[i]];
      if (colour && stall >= perPixel) {
        const x = view.xOf(start - stall);
        c.fillStyle = colour;
        c.globalAlpha = 0.75;
        c.fillRect(x, y, view.xOf(start) - x, 4);
        ++i;
      } else {
        // Jumps over what is too close together to be seen.
        i = Math.max(i + 1, upperBound(row.start, start + perPixel / 2, i));
      }
    }
    c.globalAlpha = 1;
  }

  paintRow(row, box) {
    const {view, c} = this;
    const perPixel = (view.to - view.from) / view.plotWidth;
    const shades = this.shades[row.pipe.pipe];
    let i = upperBound(row.end, view.from);
    while (i < row.count && row.start[i] < view.to) {
      const start = row.start[i];
      const end = row.end[i];
      if (end - start >= 1.5 * perPixel) {
        this.paintSlice(row, i, box, shades);
        ++i;
        continue;
      }
      // Everything that starts within this pixel, as one bar as dense as it.
      const x = Math.floor(view.xOf(start));
      const pixelEnd = view.timeOf(x + 1);
      const next = Math.max(i + 1, upperBound(row.start, pixelEnd, i));
      const busy = row.busy[next] - row.busy[i];
      c.globalAlpha = 0.25 + 0.75 * Math.min(1, busy / perPixel);
      if (row.marked) {
        const marked = row.marked[next] - row.marked[i];
        c.globalAlpha = marked > 0 ? Math.max(0.6, c.globalAlpha) : 0.15;
      }
      c.fillStyle = shades[0];
      c.fillRect(x, box.y, 1, box.height);
      i = next;
    }
    c.globalAlpha = 1;
  }

  paintSlice(row, i, box, shades) {
    const {view, c} = this;
    const kind = view.launch.kinds[row.kind[i]];
    const x = Math.max(GUTTER - 2, view.xOf(row.start[i]));
    const right = Math.min(view.width + 2, view.xOf(row.end[i]));
    const width = Math.max(1, right - x - (right - x > 4 ? 1 : 0));
    const dim = row.marked && row.marked[i + 1] === row.marked[i];
    c.globalAlpha = dim ? 0.45 : 1;
    c.fillStyle = shades[kind.shade];
    c.fillRect(x, box.y, width, box.height);
    // Time lost inside: bank conflicts, other traffic.
    const lost = row.conflict[i] + row.contention[i];
    if (lost > 0 && width > 3) {
      const share = Math.min(1, lost / (row.end[i] - row.start[i]));
      c.fillStyle = this.causes[3];
      c.fillRect(x, box.y + box.height - 3, width * share, 3);
    }
    if (width > 24) {
      c.globalAlpha = dim ? 0.75 : 1;
      this.label(kind.name, x + 4, box.y + box.height / 2, width - 7,
                 dim ? this.colour.text : this.inks[row.pipe.pipe],
                 this.small);
    }
    c.globalAlpha = 1;
  }

  paintSelection() {
    const {view, c} = this;
    const box = view.selected && view.boxOf(view.selected);
    if (!box) return;
    c.strokeStyle = this.colour.text;
    c.lineWidth = 2;
    c.strokeRect(box.x - 1, box.y - 1, box.width + 1, box.height + 2);
  }

  paintArrows() {
    const {view, c} = this;
    if (!view.selected) return;
    const here = view.boxOf(view.selected);
    if (!here) return;
    for (const arrow of arrowsOf(view.selected)) {
      const other = arrow.other && view.boxOf(arrow.other);
      if (!other) continue;
      const [from, to] = arrow.leaves ? [here, other] : [other, here];
      const colour = arrow.byQueue ? this.colour.queue : this.colour.flag;
      this.arrow(from.x + from.width, from.y + from.height / 2, to.x,
                 to.y + to.height / 2, colour);
    }
  }

  arrow(x0, y0, x1, y1, colour) {
    const {c} = this;
    const bend = Math.max(12, Math.abs(x1 - x0) / 2);
    c.strokeStyle = colour;
    c.fillStyle = colour;
    c.lineWidth = 1.75;
    c.beginPath();
    c.moveTo(x0, y0);
    c.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 5, y1);
    c.stroke();
    c.beginPath();
    c.moveTo(x1, y1);
    c.lineTo(x1 - 7, y1 - 4);
    c.lineTo(x1 - 7, y1 + 4);
    c.fill();
  }

  paintRange() {
    const {view, c} = this;
    if (!view.range) return;
    const [from, to] = view.range;
    const x = view.xOf(from);
    const width = view.xOf(to) - x;
    c.fillStyle = this.colour.accent;
    c.globalAlpha = 0.16;
    c.fillRect(x, RULER, width, view.height);
    c.globalAlpha = 1;
    c.fillRect(x, RULER, 1, view.height);
    c.fillRect(x + width, RULER, 1, view.height);
    this.label(`${timeText(to - from)} · ${cyclesText(to - from)}`, x + 6,
               RULER + 14, 220, this.colour.text);
  }
}
