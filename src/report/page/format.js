// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, and elements of the page.

function digits(value) {
  return value === 0 ? '0' : String(Number(value.toPrecision(4)));
}

function timeText(microseconds) {
  if (!microseconds) return '–';
  if (microseconds < 1000) return `${digits(microseconds)} µs`;
  return `${digits(microseconds / 1000)} ms`;
}

function percentText(share, decimals = 1) {
  return `${(share * 100).toFixed(decimals)} %`;
}

// "12.5 % (8.0–17.1)"
function intervalText(estimate) {
  if (!estimate) return '–';
  const range = estimate.low === undefined ? '' :
      ` (${(estimate.low * 100).toFixed(1)}–${
          (estimate.high * 100).toFixed(1)})`;
  return percentText(estimate.value) + range;
}

function countText(count) {
  return count.toLocaleString('en-US');
}

function furnished(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) {
      made.addEventListener(key.slice(2), value);
    } else {
      made.setAttribute(key, value);
    }
  }
  made.append(...children);
  return made;
}

// element('td', {class: 'number'}, 'text', otherElement)
function element(name, attributes = {}, ...children) {
  return furnished(document.createElement(name), attributes, children);
}

// The same inside an svg.
function drawing(name, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  return furnished(made, attributes, children);
}

function byId(id) {
  return document.getElementById(id);
}

const tip = byId('tip');
function showTip(event, text) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const x = Math.min(event.clientX + 14, innerWidth - box.width - 8);
  const y = Math.min(event.clientY + 14, innerHeight - box.height - 8);
  tip.style.left = `${Math.max(0, x)}px`;
  tip.style.top = `${Math.max(0, y)}px`;
}
function hideTip() {
  tip.hidden = true;
}
