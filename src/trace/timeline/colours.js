// SPDX-License-Identifier: Apache-2.0
// Colours and letters of the canvas, from the page's style.

const CAUSE_COLOURS = [
  null, 'issue', 'flag', 'barrier', 'order', 'full', 'memory', 'blocks',
  'edge', 'edge',
];

// How much lighter or darker the operations of a pipe are, in percent.
const SHADES = [0, -14, 12, -26, 22];

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const get = name => style.getPropertyValue(`--${name}`).trim();
  const pipes = PIPES.map(name => get(`pipe-${name.toLowerCase()}`));
  return {
    colour: {
      background: get('background'), strip: get('strip'), line: get('line'),
      text: get('text'), faint: get('faint'), accent: get('accent'),
      gutter: get('gutter'), band: get('band'), queue: get('queue'),
      flag: get('stall-flag'),
    },
    pipes,
    // Operations of one pipe differ in shade.
    shades: pipes.map(colour => SHADES.map(by => shade(colour, by))),
    inks: pipes.map(inkOn),
    causes: CAUSE_COLOURS.map(name => name && get(`stall-${name}`)),
    font: '12px ' + get('font'),
    small: '11px ' + get('font'),
  };
}

// Makes a canvas as sharp as the screen; its size in CSS pixels.
function prepareCanvas(canvas) {
  const box = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(box.width * ratio);
  const height = Math.round(box.height * ratio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return {context, width: box.width, height: box.height};
}

function partsOf(colour) {
  return [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
}

// A colour `by` percent lighter, or darker when negative.
function shade(colour, by) {
  const to = by > 0 ? 255 : 0;
  const mixed = partsOf(colour).map(
      part => Math.round(part + (to - part) * Math.abs(by) / 100));
  return `rgb(${mixed.join(',')})`;
}

// Black or white, whichever is read better on a colour.
function inkOn(colour) {
  const [red, green, blue] = partsOf(colour);
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? '#10131a' : '#fff';
}

// Operations get shades by the order they are met in on their pipe.
function chooseShades(launch) {
  const met = new Map();
  for (const kind of launch.kinds) {
    const operation = `${kind.category} ${kind.name.split(' ')[0]}`;
    if (!met.has(kind.category)) met.set(kind.category, new Map());
    const shades = met.get(kind.category);
    if (!shades.has(operation)) shades.set(operation, shades.size);
    kind.shade = shades.get(operation) % SHADES.length;
  }
}
