// SPDX-License-Identifier: Apache-2.0
// What keys, mouse, touch and the fields of the page do.

class Input {
  constructor(timeline) {
    this.timeline = timeline;
    this.canvas = timeline.canvas;
    this.minimap = document.getElementById('minimap');
    this.tip = document.getElementById('tip');
    this.keys = document.getElementById('keys');
    this.pointers = new Map();  // that are down, by id
    this.listen();
  }

  listen() {
    const {canvas, timeline} = this;
    new ResizeObserver(() => timeline.repaint()).observe(canvas);
    canvas.addEventListener('wheel', event => this.onWheel(event),
                            {passive: false});
    canvas.addEventListener('pointerdown', event => this.onDown(event));
    canvas.addEventListener('pointermove', event => this.onMove(event));
    canvas.addEventListener('pointerup', event => this.onUp(event));
    canvas.addEventListener('pointercancel', event => this.onUp(event));
    canvas.addEventListener('pointerleave', () => this.tip.hidden = true);
    canvas.addEventListener('dblclick', event => {
      if (timeline.view.sliceAt(event.offsetX, event.offsetY)) {
        timeline.focusSelection();
      }
    });
    this.minimap.addEventListener('pointerdown', event => {
      this.minimap.setPointerCapture(event.pointerId);
      this.dragMinimap(event);
    });
    this.minimap.addEventListener(
        'pointermove', event => this.dragMinimap(event));
    window.addEventListener('keydown', event => this.onKey(event));
    window.addEventListener('hashchange', () => timeline.readFragment());
    const {search} = timeline;
    search.addEventListener('input', () => timeline.find(search.value));
    search.addEventListener('keydown', event => {
      if (event.key === 'Enter') timeline.stepMarked(event.shiftKey ? -1 : 1);
      if (event.key === 'Escape') {
        timeline.find('');
        canvas.focus();
      }
    });
    const click = (id, action) =>
        document.getElementById(id).addEventListener('click', action);
    click('fit', () => timeline.fit());
    click('open-all', () => timeline.openAll(timeline.view.open.size === 0));
    click('theme', () => timeline.switchTheme());
    click('help', () => this.keys.showModal());
    click('next', () => timeline.stepMarked(1));
    click('previous', () => timeline.stepMarked(-1));
  }

  dragMinimap(event) {
    if (!event.buttons) return;
    const {view, launch} = this.timeline;
    const box = this.minimap.getBoundingClientRect();
    const at = (event.clientX - box.left - GUTTER) / (box.width - GUTTER) *
        launch.total;
    const half = (view.to - view.from) / 2;
    view.show(at - half, at + half);
    this.timeline.repaint();
  }

  onWheel(event) {
    event.preventDefault();
    const {view} = this.timeline;
    const unit = event.deltaMode === 1 ? 16 : 1;
    const dx = event.deltaX * unit;
    const dy = event.deltaY * unit;
    if (event.offsetX < GUTTER || event.altKey) {
      view.scrollTo(view.scroll + dy);
    } else if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
      view.pan((dx || dy) / view.plotWidth);
    } else {
      // Two fingers on a pad arrive as small steps with ctrl.
      const speed = event.ctrlKey ? 0.01 : 0.002;
      view.zoom(Math.exp(-dy * speed), view.timeOf(event.offsetX));
    }
    this.timeline.repaint();
  }

  onDown(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus();
    const point = {x: event.offsetX, y: event.offsetY};
    this.pointers.set(event.pointerId, point);
    this.moved = false;
    const {view} = this.timeline;
    if (this.pointers.size === 1) {
      const onRuler = point.y < RULER;
      this.grip = {
        ...point, from: view.from, to: view.to, scroll: view.scroll,
        start: view.timeOf(point.x), zooms: onRuler,
        measures: (event.shiftKey || onRuler) && point.x >= GUTTER,
      };
    } else {
      this.pinch = this.pinchOf();
    }
  }

  pinchOf() {
    const [a, b] = [...this.pointers.values()];
    return {distance: Math.max(20, Math.hypot(a.x - b.x, a.y - b.y)),
            middle: (a.x + b.x) / 2};
  }

  onMove(event) {
    const point = {x: event.offsetX, y: event.offsetY};
    if (!this.pointers.has(event.pointerId)) {
      this.hover(point);
      return;
    }
    this.pointers.set(event.pointerId, point);
    this.tip.hidden = true;
    const {grip} = this;
    const {view} = this.timeline;
    if (this.pointers.size === 2) {
      const now = this.pinchOf();
      view.zoom(now.distance / this.pinch.distance, view.timeOf(now.middle));
      view.pan((this.pinch.middle - now.middle) / view.plotWidth);
      this.pinch = now;
      this.moved = true;
    } else if (grip) {
      const dx = point.x - grip.x;
      const dy = point.y - grip.y;
      if (Math.abs(dx) + Math.abs(dy) > 3) this.moved = true;
      if (grip.measures) {
        const here = view.timeOf(point.x);
        view.range = [Math.min(grip.start, here), Math.max(grip.start, here)];
      } else if (this.moved) {
        const shift = -dx / view.plotWidth * (grip.to - grip.from);
        view.show(grip.from + shift, grip.to + shift);
        view.scrollTo(grip.scroll - dy);
      }
    }
    this.timeline.repaint();
  }

  onUp(event) {
    this.pointers.delete(event.pointerId);
    const {grip} = this;
    const {view} = this.timeline;
    if (this.pointers.size > 0) {
      this.grip = null;
      return;
    }
    this.grip = null;
    if (!grip || event.type === 'pointercancel') return;
    if (grip.measures && this.moved) {
      if (grip.zooms) {
        view.show(...view.range);
        view.range = null;
      }
    } else if (!this.moved) {
      view.range = null;
      this.click(event.offsetX, event.offsetY);
    }
    this.timeline.repaint();
  }

  click(x, y) {
    const {view} = this.timeline;
    const strip = y < RULER ? null : view.stripAt(y);
    if (strip && strip.type === 'core' && strip.core.kept) {
      view.toggle(strip.core);
      this.timeline.repaint();
      return;
    }
    if (x >= GUTTER) this.timeline.select(view.sliceAt(x, y));
  }

  hover({x, y}) {
    const {view, launch, panel} = this.timeline;
    const slice = view.sliceAt(x, y);
    this.canvas.style.cursor = slice ? 'pointer' : 'default';
    this.tip.hidden = !slice;
    if (!slice) return;
    const {row, index: i} = slice;
    const kind = launch.kinds[row.kind[i]];
    const place = launch.places[kind.place];
    fill(this.tip,
        element('b', {}, kind.name),
        element('div', {}, timeText(row.end[i] - row.start[i]) +
            (place ? ` · ${placeText(place)}` : '')),
        row.stall[i] > 0 ? element('div', {class: 'hint'},
            `stood still ${panel.stallText(row, i)}`) : null);
    const room = this.canvas.clientWidth - this.tip.offsetWidth - 8;
    this.tip.style.left = `${Math.max(0, Math.min(x + 14, room))}px`;
    this.tip.style.top = `${y + 18 + this.canvas.offsetTop}px`;
  }

  onKey(event) {
    const inField = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (inField || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.keys.open) return;
    const {timeline} = this;
    const {view} = timeline;
    const middle = (view.from + view.to) / 2;
    const onCanvas = event.target === this.canvas ||
        event.target === document.body;
    const actions = {
      w: () => view.zoom(1.35, middle),
      s: () => view.zoom(1 / 1.35, middle),
      a: () => view.pan(-0.2),
      d: () => view.pan(0.2),
      f: () => timeline.focusSelection(),
      0: () => view.fit(),
      n: () => timeline.stepMarked(1),
      p: () => timeline.stepMarked(-1),
      t: () => timeline.switchTheme(),
      '/': () => timeline.search.focus(),
      '?': () => this.keys.showModal(),
      Escape: () => {
        view.range = null;
        timeline.find('');
        timeline.select(null);
      },
    };
    if (onCanvas) {
      Object.assign(actions, {
        ArrowLeft: () => timeline.stepSlice(-1, 0),
        ArrowRight: () => timeline.stepSlice(1, 0),
        ArrowUp: () => timeline.stepSlice(0, -1),
        ArrowDown: () => timeline.stepSlice(0, 1),
        Enter: () => timeline.focusSelection(),
        PageUp: () => view.scrollTo(view.scroll - view.height * 0.8),
        PageDown: () => view.scrollTo(view.scroll + view.height * 0.8),
      });
    }
    const action = actions[event.key] || actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
    timeline.repaint();
  }
}
