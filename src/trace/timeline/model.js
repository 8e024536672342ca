// SPDX-License-Identifier: Apache-2.0
// Questions about a launch: how busy, which slices, how much by line.

// The first index whose value is above `value`.
function upperBound(values, value, low = 0, high = values.length) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > value) high = middle; else low = middle + 1;
  }
  return low;
}

// Intervals that do not overlap, with the busy time before each.
function busyOfRows(rows) {
  if (rows.length === 1) return rows[0];
  const all = [];
  for (const row of rows) {
    for (let i = 0; i < row.count; ++i) all.push([row.start[i], row.end[i]]);
  }
  all.sort((a, b) => a[0] - b[0]);
  const merged = [];
  for (const [start, end] of all) {
    const last = merged[merged.length - 1];
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  const busy = {
    start: Float64Array.from(merged, m => m[0]),
    end: Float64Array.from(merged, m => m[1]),
    busy: new Float64Array(merged.length + 1),
  };
  merged.forEach((m, i) => busy.busy[i + 1] = busy.busy[i] + m[1] - m[0]);
  return busy;
}

// The same from a coarse record: each bin busy from its beginning on.
function busyOfActivity(activity) {
  const shares = bytesOf(activity.data);
  const n = shares.length;
  const busy = {
    start: new Float64Array(n), end: new Float64Array(n),
    busy: new Float64Array(n + 1), coarse: true,
  };
  for (let i = 0; i < n; ++i) {
    const length = shares[i] / 255 * activity.width;
    busy.start[i] = i * activity.width;
    busy.end[i] = busy.start[i] + length;
    busy.busy[i + 1] = busy.busy[i] + length;
  }
  return busy;
}

// Busy time before `time`.
function busyBefore(busy, time) {
  const i = upperBound(busy.start, time) - 1;
  if (i < 0) return 0;
  return busy.busy[i] + Math.min(time, busy.end[i]) - busy.start[i];
}

function utilisation(pipe, from, to) {
  if (to <= from) return 0;
  return (busyBefore(pipe.busy, to) - busyBefore(pipe.busy, from)) /
      (to - from);
}

// Mean utilisation of one pipe over all cores that have it, in equal steps.
function meanUtilisation(launch, pipeNumber, from, to, steps) {
  const result = new Float32Array(steps);
  let cores = 0;
  for (const core of launch.cores) {
    const pipe = core.pipes.find(p => p.pipe === pipeNumber);
    if (!pipe) continue;
    ++cores;
    let before = busyBefore(pipe.busy, from);
    for (let i = 0; i < steps; ++i) {
      const after = busyBefore(pipe.busy, from + (to - from) * (i + 1) / steps);
      result[i] += after - before;
      before = after;
    }
  }
  const width = (to - from) / steps;
  for (let i = 0; i < steps; ++i) result[i] /= Math.max(1, cores) * width;
  return result;
}

// Time by source line and pipe: a Map from "file:line" to
// {key, place, pipes, total, count}.
function timeByLine(launch) {
  const lines = new Map();
  for (const core of launch.cores) {
    for (const row of core.rows) {
      for (let i = 0; i < row.count; ++i) {
        const place = launch.places[launch.kinds[row.kind[i]].place];
        if (!place) continue;
        const key = `${place.file}:${place.line}`;
        let line = lines.get(key);
        if (!line) {
          line = {key, place, pipes: new Map(), total: 0, count: 0};
          lines.set(key, line);
        }
        const time = row.end[i] - row.start[i];
        const pipe = row.pipe.pipe;
        line.pipes.set(pipe, (line.pipes.get(pipe) || 0) + time);
        line.total += time;
        ++line.count;
      }
    }
  }
  return lines;
}

function lineKey(launch, kind) {
  const place = launch.places[launch.kinds[kind].place];
  return place ? `${place.file}:${place.line}` : null;
}

// Which kinds a query finds: an operation's name or part of it, a line as
// "41", ":41" or "add.asc:41", or a function.
function kindsFound(launch, query) {
  const words = query.trim().toLowerCase();
  const found = new Uint8Array(launch.kinds.length);
  if (!words) return found;
  const line = words.match(/^(.*?):?(\d+)$/);
  launch.kinds.forEach((kind, i) => {
    const place = launch.places[kind.place];
    const isLine = line && place && place.line === Number(line[2]) &&
        (!line[1] || place.file.toLowerCase().endsWith(line[1]));
    const isText = !/^:?\d+$/.test(words) && (
      kind.name.toLowerCase().includes(words) || kind.category === words ||
      (place && place.function &&
       place.function.toLowerCase().includes(words)));
    found[i] = isLine || isText ? 1 : 0;
  });
  return found;
}

// Brings out the slices of the kinds in `found` (or none with null) and counts
// them.
function markSlices(launch, found) {
  const total = {count: 0, time: 0};
  for (const core of launch.cores) {
    for (const row of core.rows) {
      if (!found) {
        row.marked = null;
        continue;
      }
      row.marked = new Float64Array(row.count + 1);
      for (let i = 0; i < row.count; ++i) {
        const time = found[row.kind[i]] ? row.end[i] - row.start[i] : 0;
        row.marked[i + 1] = row.marked[i] + time;
        total.count += found[row.kind[i]];
        total.time += time;
      }
    }
  }
  return total;
}

// The slice with a number in its core.
function sliceByNumber(core, number) {
  for (const row of core.rows) {
    if (number < row.first + row.count) {
      return {row, index: number - row.first};
    }
  }
  return null;
}

// Arrows that leave or reach a slice.
function arrowsOf(slice) {
  const core = slice.row.pipe.core;
  const number = slice.row.first + slice.index;
  const result = [];
  for (let i = 0; i < core.arrows.count; ++i) {
    const leaves = core.arrows.from[i] === number;
    if (!leaves && core.arrows.to[i] !== number) continue;
    const other = leaves ? core.arrows.to[i] : core.arrows.from[i];
    result.push({
      leaves, other: sliceByNumber(core, other), id: core.arrows.id[i],
      byQueue: core.arrows.byQueue[i] === 1,
      set: core.arrows.set[i], met: core.arrows.met[i],
    });
  }
  return result;
}

// Slices of a core that `wanted` accepts, in time order.
function slicesOf(core, wanted) {
  const slices = [];
  for (const row of core.rows) {
    for (let index = 0; index < row.count; ++index) {
      if (wanted(row, index)) slices.push({row, index});
    }
  }
  return slices.sort((a, b) => a.row.start[a.index] - b.row.start[b.index]);
}

// The next slice (direction 1) or the one before (-1) that `wanted` accepts:
// first along the core of `from`, then core by core, round at the ends.
function nextSlice(launch, from, direction, wanted) {
  const {cores} = launch;
  if (cores.length === 0) return null;
  const first = from ? from.row.pipe.core.index : 0;
  for (let step = 0; step <= cores.length; ++step) {
    const at = (first + direction * step + cores.length * 2) % cores.length;
    const slices = slicesOf(cores[at], wanted);
    if (from && step === 0) {
      const here = slices.findIndex(
          s => s.row === from.row && s.index === from.index);
      const start = from.row.start[from.index];
      const next = here >= 0 ? here + direction :
          direction > 0 ?
          slices.findIndex(s => s.row.start[s.index] >= start) :
          slices.findLastIndex(s => s.row.start[s.index] <= start);
      if (slices[next]) return slices[next];
    } else if (slices.length) {
      return slices[direction > 0 ? 0 : slices.length - 1];
    }
  }
  return null;
}
