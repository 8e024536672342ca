// SPDX-License-Identifier: Apache-2.0
// Put behind the scripts of a timeline page by test_page.cpp: uses the page as
// a reader would and writes what it saw into the document as JSON.

(() => {
  const errors = [];
  window.addEventListener('error', event => errors.push(event.message));
  document.addEventListener(
      'securitypolicyviolation', event => errors.push(event.blockedURI));

  const timeline = window.belayTimeline;
  const canvas = document.getElementById('canvas');
  const seen = {};
  // Only pointers of real devices can be captured.
  canvas.setPointerCapture = () => {};

  function mouse(type, x, y, more = {}) {
    const box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new PointerEvent(type, {
      clientX: box.left + x, clientY: box.top + y, pointerId: 1,
      bubbles: true, buttons: type === 'pointerup' ? 0 : 1, ...more,
    }));
  }

  function click(x, y) {
    mouse('pointerdown', x, y);
    mouse('pointerup', x, y);
    timeline.paintNow();
  }

  function key(name) {
    canvas.dispatchEvent(
        new KeyboardEvent('keydown', {key: name, bubbles: true}));
    timeline.paintNow();
  }

  function wheel(x, y, deltaY, more = {}) {
    const box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new WheelEvent('wheel', {
      clientX: box.left + x, clientY: box.top + y, deltaY,
      bubbles: true, cancelable: true, ...more,
    }));
    timeline.paintNow();
  }

  function text(id) {
    return document.getElementById(id).textContent;
  }

  // The canvas as it is now, to be read.
  function snapshot() {
    const copy = document.createElement('canvas');
    copy.width = canvas.width;
    copy.height = canvas.height;
    const context = copy.getContext('2d', {willReadFrequently: true});
    context.drawImage(canvas, 0, 0);
    return context;
  }

  // Colour of the canvas at a point of the page.
  function pixel(x, y) {
    const ratio = canvas.width / canvas.getBoundingClientRect().width;
    return [...snapshot().getImageData(
        Math.round(x * ratio), Math.round(y * ratio), 1, 1).data].join(',');
  }

  function colours() {
    const data = snapshot().getImageData(
        0, 0, canvas.width, canvas.height).data;
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) {
      found.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
    }
    return found.size;
  }

  function middleOf(slice) {
    const box = timeline.view.boxOf(slice);
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  function rowOf(core, pipe) {
    return timeline.launch.cores.find(c => c.name === core)
        .rows.find(r => r.pipe.name === pipe);
  }

  // Rectangles a paint takes.
  function rectangles() {
    const plain = CanvasRenderingContext2D.prototype.fillRect;
    let count = 0;
    CanvasRenderingContext2D.prototype.fillRect = function(...box) {
      ++count;
      return plain.apply(this, box);
    };
    timeline.paintNow();
    CanvasRenderingContext2D.prototype.fillRect = plain;
    return count;
  }

  const steps = {
    draws() {
      timeline.paintNow();
      seen.facts = text('facts');
      seen.launches = document.getElementById('launch').options.length;
      seen.cores = timeline.launch.cores.map(core => core.name);
      seen.open = [...timeline.view.open].map(core => core.name);
      seen.colours = colours();
      const row = rowOf('aiv 0', 'V');
      const [x, y] = middleOf({row, index: 2});
      seen.slicePixel = pixel(x, y);
      seen.emptyPixel = pixel(timeline.view.xOf(-1) + 2, y);
      seen.slices = timeline.launch.cores.map(
          core => core.rows.reduce((sum, r) => sum + r.count, 0));
      seen.firstLoad = {
        start: rowOf('aiv 0', 'MTE2').start[0],
        end: rowOf('aiv 0', 'MTE2').end[0],
      };
    },

    selects() {
      const row = rowOf('aiv 0', 'V');
      click(...middleOf({row, index: 2}));
      seen.selected = text('details');
      seen.selectedIndex = timeline.view.selected.index;
      seen.live = text('live');
      seen.chosenLine = document.querySelector('#source .chosen').textContent;
      const marked = (name, i) => {
        const r = rowOf('aiv 1', name);
        return r.marked[i + 1] > r.marked[i];
      };
      seen.sameLineMarked = marked('V', 0);
      seen.otherLineMarked = marked('MTE2', 0);
      seen.arrows = document.querySelectorAll('#details li').length;
      key('ArrowRight');
      seen.afterArrowRight = timeline.view.selected.index;
      key('ArrowDown');
      seen.afterArrowDown = timeline.view.selected.row.pipe.name;
      key('Escape');
      seen.afterEscape = timeline.view.selected;
    },

    zooms() {
      const {view} = timeline;
      key('0');
      const whole = view.to - view.from;
      const x = GUTTER_WIDTH + 300;
      const under = view.timeOf(x);
      wheel(x, 200, -400);
      seen.wheelZoom = whole / (view.to - view.from);
      seen.wheelKeepsTime = Math.abs(view.timeOf(x) - under) / whole;
      const from = view.from;
      key('d');
      seen.panned = (view.from - from) / (view.to - view.from);
      key('w');
      seen.keyZoom = whole / (view.to - view.from);
      mouse('pointerdown', x, 200);
      mouse('pointermove', x - 50, 200);
      mouse('pointerup', x - 50, 200);
      seen.dragged = view.from > from;
      const before = view.to - view.from;
      mouse('pointerdown', x, 200, {pointerId: 1});
      mouse('pointerdown', x + 100, 200, {pointerId: 2});
      mouse('pointermove', x + 200, 200, {pointerId: 2});
      mouse('pointerup', x + 200, 200, {pointerId: 2});
      mouse('pointerup', x, 200, {pointerId: 1});
      seen.pinched = before / (view.to - view.from);
      key('0');
      seen.fitAgain = (view.to - view.from) === whole;
    },

    searches() {
      const field = document.getElementById('search');
      const find = query => {
        field.value = query;
        field.dispatchEvent(new Event('input'));
        return text('found');
      };
      seen.findName = find('add 32');
      seen.findLine = find('12');
      seen.findFileLine = find('sample.asc:12');
      seen.findNothing = find('Softmax');
      find(':14');
      field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
      seen.stepped = timeline.view.selected.row.pipe.name;
      field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
      seen.steppedTo = timeline.view.selected.index;
      key('Escape');
      document.querySelector('#source .timed').click();
      seen.clickedLine = timeline.line;
      key('Escape');
    },

    folds() {
      const {view} = timeline;
      const strips = view.strips.length;
      const strip = view.strips.find(s => s.type === 'core' && s.isOpen);
      click(50, view.yOf(strip) + 5);
      seen.closed = strips - view.strips.length;
      timeline.openAll(true);
      seen.openAll = view.open.size;
    },

    themes() {
      timeline.setTheme('light');
      timeline.paintNow();
      const light = pixel(GUTTER_WIDTH + 3, 200);
      document.getElementById('theme').click();
      timeline.paintNow();
      seen.themeChanges = light !== pixel(GUTTER_WIDTH + 3, 200);
    },

    secondLaunch() {
      timeline.showLaunch(1);
      timeline.paintNow();
      seen.leftOut = text('left-out');
      seen.kept = timeline.launch.cores.filter(c => c.kept).map(c => c.name);
      seen.largeSlices = timeline.launch.kept;
      seen.rectangles = rectangles();
      const closed = timeline.view.strips.find(
          s => s.type === 'core' && !s.core.kept);
      const pipes = closed.core.pipes;
      const middle = pipes[0].busy.start[pipes[0].busy.start.length >> 1];
      seen.outlinePixel = pixel(
          timeline.view.xOf(middle) + 1, timeline.view.yOf(closed) + 4);
      seen.stripPixel = pixel(
          timeline.view.xOf(0) - 2, timeline.view.yOf(closed) + 4);
    },

    overlap() {
      timeline.showLaunch(2);
      timeline.paintNow();
      const core = timeline.launch.cores[0];
      const pipe = core.pipes.find(p => p.name === 'MTE2');
      seen.loadRows = pipe.rows.length;
      const slice = {row: pipe.rows[1], index: 1};
      click(...middleOf(slice));
      seen.secondRow = timeline.view.selected.row === slice.row &&
          timeline.view.selected.index === slice.index;
      const {launch} = timeline;
      const busy = pipe.busy.busy[pipe.busy.busy.length - 1];
      const sum = pipe.rows.reduce((s, r) => s + r.busy[r.count], 0);
      seen.overlapCountedOnce = busy < sum && busy <= launch.total;
    },

    cut() {
      timeline.showLaunch(3);
      timeline.paintNow();
      seen.cutNote = text('left-out');
      const {launch, view} = timeline;
      const pipe = launch.cores[0].pipes.find(p => p.name === 'MTE2');
      const middle = view.yOf(view.stripOf(pipe)) + 12;
      const after = (launch.cut + launch.total) / 2;
      seen.pixelAfterCut = pixel(view.xOf(after), middle);
      seen.pixelBesides = pixel(view.xOf(after), middle + 10);
    },

    nothing() {
      timeline.showLaunch(4);
      timeline.paintNow();
      key('ArrowRight');
      key('n');
      seen.emptyCores = timeline.launch.cores.length;
    },

    tip() {
      timeline.showLaunch(0);
      timeline.paintNow();
      const slice = {row: rowOf('aiv 0', 'V'), index: 2};
      mouse('pointermove', ...middleOf(slice), {buttons: 0});
      seen.tip = text('tip');
      const first = {row: rowOf('aiv 0', 'S'), index: 0};
      mouse('pointermove', ...middleOf(first), {buttons: 0});
      seen.tipWithoutStall = text('tip');
    },
  };

  const GUTTER_WIDTH = timeline.view.xOf(timeline.view.from);
  for (const [name, step] of Object.entries(steps)) {
    try {
      step();
    } catch (error) {
      errors.push(`${name}: ${error.stack}`);
    }
  }
  seen.requests = performance.getEntriesByType('resource').map(e => e.name);
  seen.errors = errors;
  const result = document.createElement('pre');
  result.id = 'test-result';
  result.textContent = JSON.stringify(seen).replace(
      /[<>&]/g, c => '\\u00' + c.charCodeAt(0).toString(16));
  document.body.append(result);
})();
