// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.

const units = {ticksPerCycle: 1024, clockMhz: 1000};

function nanosecondsOf(ticks) {
  return ticks / units.ticksPerCycle / units.clockMhz * 1000;
}

function ticksOf(nanoseconds) {
  return nanoseconds / 1000 * units.clockMhz * units.ticksPerCycle;
}

// Four digits that count, no trailing zeros.
function digits(value) {
  return value === 0 ? '0' : String(Number(value.toPrecision(4)));
}

function timeText(ticks) {
  const ns = nanosecondsOf(ticks);
  if (Math.abs(ns) < 1000) return `${digits(ns)} ns`;
  if (Math.abs(ns) < 1e6) return `${digits(ns / 1000)} µs`;
  return `${digits(ns / 1e6)} ms`;
}

// A point in time, exact enough to tell it from its neighbours a step away.
function clockText(ticks, stepNs) {
  const ns = nanosecondsOf(ticks);
  const decimals = (scale) =>
      Math.max(0, Math.ceil(-Math.log10(stepNs / scale) - 1e-9));
  if (stepNs >= 1e6) return `${(ns / 1e6).toFixed(decimals(1e6))} ms`;
  return `${(ns / 1000).toFixed(decimals(1000))} µs`;
}

function cyclesText(ticks) {
  const cycles = ticks / units.ticksPerCycle;
  return `${countText(Math.round(cycles * 10) / 10)} cycles`;
}

function countText(count) {
  return count.toLocaleString('en-US');
}

function bytesText(bytes) {
  for (const [size, name] of [[2 ** 30, 'GB'], [2 ** 20, 'MB'], [1024, 'KB']]) {
    if (bytes >= size) return `${digits(bytes / size)} ${name}`;
  }
  return `${bytes} B`;
}

// Bytes in a time; GB are 10^9 here, as memory rates are given.
function rateText(bytes, ticks) {
  const rate = bytes / nanosecondsOf(ticks);
  return rate >= 1000 ? `${digits(rate / 1000)} TB/s` : `${digits(rate)} GB/s`;
}

function percentText(share) {
  const percent = share * 100;
  return percent > 0 && percent < 10 ?
      `${percent.toFixed(1)} %` : `${Math.round(percent)} %`;
}

function baseName(file) {
  return file.slice(file.lastIndexOf('/') + 1);
}

function placeText(place) {
  return place ? `${baseName(place.file)}:${place.line}` : '';
}

// 1, 2 or 5 times a power of ten, not below `least`.
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5]) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}
