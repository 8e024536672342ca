// SPDX-License-Identifier: Apache-2.0
// Reads what the program wrote into the page; page_data.cpp is the other side.

const PIPES = ['S', 'V', 'M', 'MTE1', 'MTE2', 'MTE3', 'FIX', 'ALL'];
const CAUSES = [
  '', 'not issued yet', 'flag of another pipe', 'barrier',
  'order put in by the compiler', 'queue of another pipe full',
  'scalar access to global memory', 'other blocks',
  'before the first instruction', 'after the last instruction',
];
// Causes whose stall names the pipe that was waited for.
const CAUSES_OF_PIPE = new Set([2, 4, 5]);

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Numbers of variable length, one after the other. Exact up to 2^53.
class Numbers {
  constructor(base64) {
    this.bytes = bytesOf(base64);
    this.at = 0;
  }

  next() {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    let value = byte & 0x7f;
    let scale = 128;
    while (byte >= 0x80) {
      byte = bytes[this.at++];
      value += (byte & 0x7f) * scale;
      scale *= 128;
    }
    return value;
  }

  nextSigned() {
    const value = this.next();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

// Columns of a row; slices do not overlap and come in order. `busy[i]` is the
// time the slices before i took together.
function readRow(raw, pipe, firstNumber) {
  const n = raw.count;
  const row = {
    pipe, count: n, first: firstNumber,
    start: new Float64Array(n), end: new Float64Array(n),
    issued: new Float64Array(n), stall: new Float64Array(n),
    conflict: new Float64Array(n), contention: new Float64Array(n),
    kind: new Uint32Array(n), block: new Int32Array(n),
    cause: new Uint8Array(n), waitedFor: new Uint8Array(n),
    busy: new Float64Array(n + 1),
    // As `busy`, of the slices that a search or a line brings out.
    marked: null,
  };
  const numbers = new Numbers(raw.data);
  let end = 0;
  let block = 0;
  for (let i = 0; i < n; ++i) {
    row.start[i] = end + numbers.next();
    end = row.end[i] = row.start[i] + numbers.next();
    row.kind[i] = numbers.next();
    block = row.block[i] = block + numbers.nextSigned();
    row.issued[i] = row.start[i] - numbers.nextSigned();
    row.stall[i] = numbers.next();
    const why = numbers.next();
    row.cause[i] = why >> 3;
    row.waitedFor[i] = why & 7;
    row.conflict[i] = numbers.next();
    row.contention[i] = numbers.next();
    row.busy[i + 1] = row.busy[i] + row.end[i] - row.start[i];
  }
  return row;
}

function readArrows(raw) {
  const n = raw.arrow_count;
  const arrows = {
    count: n,
    from: new Uint32Array(n), to: new Uint32Array(n),
    set: new Float64Array(n), met: new Float64Array(n),
    id: new Uint32Array(n), byQueue: new Uint8Array(n),
  };
  const numbers = new Numbers(raw.arrows);
  for (let i = 0; i < n; ++i) {
    arrows.from[i] = numbers.next();
    arrows.to[i] = numbers.next();
    arrows.set[i] = numbers.next();
    arrows.met[i] = arrows.set[i] + numbers.nextSigned();
    const flag = numbers.next();
    arrows.id[i] = Math.floor(flag / 2);
    arrows.byQueue[i] = flag % 2;
  }
  return arrows;
}

function readLevels(raw) {
  const at = new Float64Array(raw.count);
  const bytes = new Float64Array(raw.count);
  const numbers = new Numbers(raw.data);
  let time = 0;
  for (let i = 0; i < raw.count; ++i) {
    time = at[i] = time + numbers.next();
    bytes[i] = numbers.next();
  }
  return {memory: raw.memory, peak: raw.peak, count: raw.count, at, bytes};
}

function readMemory(raw) {
  const n = raw.count;
  const memory = {
    width: raw.width, count: n, begin: new Float64Array(n),
    read: new Float64Array(n), written: new Float64Array(n),
    hit: new Float64Array(n), peak: 0,
  };
  const numbers = new Numbers(raw.data);
  let time = 0;
  for (let i = 0; i < n; ++i) {
    time = memory.begin[i] = time + numbers.next();
    memory.read[i] = numbers.next();
    memory.written[i] = numbers.next();
    memory.hit[i] = numbers.next();
    memory.peak = Math.max(memory.peak, memory.read[i] + memory.written[i]);
  }
  return memory;
}

function readCore(raw, index) {
  const core = {...raw, index, rows: [], pipes: []};
  let number = 0;
  for (const rawPipe of raw.pipes) {
    const pipe = {
      core, pipe: rawPipe.pipe, name: PIPES[rawPipe.pipe], rows: [],
      busyTotal: rawPipe.busy, instructions: rawPipe.instructions,
      stalled: rawPipe.stalled,
    };
    for (const rawRow of rawPipe.rows) {
      const row = readRow(rawRow, pipe, number);
      number += row.count;
      pipe.rows.push(row);
      core.rows.push(row);
    }
    pipe.busy = rawPipe.activity ?
        busyOfActivity(rawPipe.activity) : busyOfRows(pipe.rows);
    core.pipes.push(pipe);
  }
  core.arrows = readArrows(raw);
  core.levels = raw.levels.map(readLevels);
  return core;
}

function readLaunch(raw, index) {
  // A launch that takes no time is drawn as one that takes a little.
  const launch = {...raw, index, total: Math.max(1, raw.total)};
  launch.cores = raw.cores.map(readCore);
  launch.memory = readMemory(raw.memory);
  launch.pipes = [...new Set(
      launch.cores.flatMap(core => core.pipes.map(pipe => pipe.pipe)))];
  launch.pipes.sort((a, b) => a - b);
  return launch;
}
