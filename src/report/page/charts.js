// SPDX-License-Identifier: Apache-2.0
// Curves over one axis, and the roofline.

// Maps [from, to] to [low, high] of the drawing, linearly or by logarithms.
function scale(from, to, low, high, logarithmic = false) {
  const place = logarithmic ? Math.log10 : (value) => value;
  const width = place(to) - place(from) || 1;
  return (value) =>
      low + (place(value) - place(from)) / width * (high - low);
}

const frame = {left: 46, right: 12, top: 10, bottom: 34};

// A drawing with axes; `ticks` are [value, text] pairs.
function chart(width, height, x, y, xTicks, yTicks, xName, label) {
  const svg = drawing('svg', {
    viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label,
  });
  for (const [value, text] of yTicks) {
    svg.append(
        drawing('line', {class: 'grid', x1: frame.left,
                         x2: width - frame.right, y1: y(value), y2: y(value)}),
        drawing('text', {x: frame.left - 6, y: y(value) + 4,
                         'text-anchor': 'end'}, text));
  }
  for (const [value, text] of xTicks) {
    svg.append(drawing('text', {x: x(value), y: height - 18,
                                'text-anchor': 'middle'}, text));
  }
  svg.append(
      drawing('line', {class: 'axis', x1: frame.left, x2: width - frame.right,
                       y1: height - frame.bottom, y2: height - frame.bottom}),
      drawing('text', {x: (frame.left + width - frame.right) / 2,
                       y: height - 3, 'text-anchor': 'middle'}, xName));
  return svg;
}

const shares = [0, 0.25, 0.5, 0.75, 1].map(
    (share) => [share, percentText(share, 0)]);

function path(points) {
  return points.map(([x, y], i) => `${i ? 'L' : 'M'}${x},${y}`).join('');
}

function drawPassAtK(into, groups) {
  const width = 560, height = 230;
  const all = groups.map((group) => Object.entries(group.pass_at ?? {})
      .map(([k, estimate]) => [Number(k), estimate])
      .sort((a, b) => a[0] - b[0]));
  const most = Math.max(1, ...all.flat().map(([k]) => k));
  const x = scale(1, Math.max(2, most), frame.left, width - frame.right);
  const y = scale(0, 1, height - frame.bottom, frame.top);
  const ks = [...new Set(all.flat().map(([k]) => k))];
  const svg = chart(width, height, x, y, ks.map((k) => [k, String(k)]), shares,
                    'k', 'pass at k, with 95 % intervals');
  all.forEach((points, run) => {
    if (!points.length) return;
    if (run === 0 && points[0][1].low !== undefined) {
      const upper = points.map(([k, e]) => [x(k), y(e.high)]);
      const lower = points.map(([k, e]) => [x(k), y(e.low)]).reverse();
      if (points.length === 1) {
        svg.append(drawing('rect', {class: 'band', x: x(1) - 6, width: 12,
                                    y: upper[0][1],
                                    height: lower[0][1] - upper[0][1]}));
      } else {
        svg.append(drawing('path', {class: 'band',
                                    d: path([...upper, ...lower]) + 'Z'}));
      }
    }
    const line = points.map(([k, e]) => [x(k), y(e.value)]);
    svg.append(drawing('path', {class: run ? 'curve other' : 'curve',
                                d: path(line)}));
    points.forEach(([k, estimate], i) => svg.append(drawing('circle', {
      cx: line[i][0], cy: line[i][1], r: 4,
      fill: run ? 'var(--faint)' : 'var(--accent)',
      onmousemove: (event) => showTip(
          event, `pass@${k}: ${intervalText(estimate)}`),
      onmouseleave: hideTip,
    })));
  });
  into.replaceChildren(svg);
}

// Steps: one task each, at its best sample's speedup.
function drawFastP(into, runs) {
  const width = 560, height = 230, most = 4;
  const x = scale(0, most, frame.left, width - frame.right);
  const y = scale(0, 1, height - frame.bottom, frame.top);
  const svg = chart(width, height, x, y,
                    [0, 0.5, 1, 1.5, 2, 3, 4].map((p) => [p, String(p)]),
                    shares, 'p', 'fast p');
  svg.append(drawing('line', {class: 'axis', 'stroke-dasharray': '2 3',
                              x1: x(1), x2: x(1), y1: frame.top,
                              y2: height - frame.bottom}));
  runs.forEach((run, number) => {
    const points = run.fast_curve.filter(([p]) => p <= most);
    if (!points.length) return;
    const steps = [];
    let last = points[0][1];
    for (const [p, share] of points) {
      steps.push([x(p), y(last)], [x(p), y(share)]);
      last = share;
    }
    steps.push([x(most), y(last)]);
    svg.append(drawing('path', {
      class: number ? 'curve other' : 'curve', d: path(steps)}));
  });
  into.replaceChildren(svg);
}

// Intensity of kernels that compute nothing.
const leastIntensity = 1 / 64;

function rooflinePoints() {
  return kernels.flatMap((kernel) => kernel.verdict.times
      .filter((time) => time.simulated_us > 0 && time.bytes > 0)
      .map((time) => {
        const intensity = Math.max(leastIntensity, time.flops / time.bytes);
        // GFLOP/s; moves count as the least intensity.
        const rate = intensity * time.bytes / time.simulated_us / 1000;
        return {kernel, time, intensity, rate};
      }));
}

function drawRoofline(into, chip) {
  const width = 1180, height = 360;
  const points = rooflinePoints();
  // Writes may stay in the L2 cache, so reads and writes together go beyond
  // what HBM gives: the roof is the best rate any bound here allows. GB/s.
  const bandwidth = Math.max(
      chip.hbm_bytes_per_us,
      ...points.map(({time}) => time.bytes / time.bound_us)) / 1000;
  const peak = chip.vector_flops_per_us / 1000;    // GFLOP/s
  const most = Math.max(256, ...points.map((point) => point.intensity * 2));
  const least = Math.min(leastIntensity * bandwidth / 100,
                         ...points.map((point) => point.rate / 2));
  const top = Math.max(peak * 2, ...points.map((point) => point.rate * 2));
  const x = scale(leastIntensity / 1.5, most, frame.left,
                  width - frame.right, true);
  const y = scale(least, top, height - frame.bottom, frame.top, true);
  const powers = (from, to) => {
    const ticks = [];
    for (let p = Math.ceil(Math.log10(from)); 10 ** p <= to; ++p) {
      ticks.push([10 ** p, p < 0 ? String(10 ** p) : countText(10 ** p)]);
    }
    return ticks;
  };
  const svg = chart(width, height, x, y, powers(leastIntensity, most),
                    powers(least, top),
                    'operations per byte that the task has to move',
                    'Roofline: GFLOP/s by operations per byte');
  const bend = peak / bandwidth;
  svg.append(
      drawing('path', {class: 'roof', d: path([
        [x(leastIntensity / 1.5), y(leastIntensity / 1.5 * bandwidth)],
        [x(bend), y(peak)], [x(most), y(peak)]])}),
      drawing('text', {x: x(leastIntensity * 2) + 10,
                       y: y(leastIntensity * 2 * bandwidth) + 12},
              `reads and writes: ${digits(bandwidth / 1000)} TB/s`),
      drawing('text', {x: x(most) - 4, y: y(peak) - 6, 'text-anchor': 'end'},
              `vector, f32: ${digits(peak / 1000)} TFLOP/s`));
  for (const {kernel, time, intensity, rate} of points) {
    svg.append(drawing('circle', {
      class: `point ${kernel.verdict.outcome}`, r: 4.5, tabindex: 0,
      cx: x(intensity), cy: y(rate),
      onmousemove: (event) => showTip(
          event, `${kernel.verdict.task} ${time.case}\n` +
              `${timeText(time.simulated_us)} simulated, ` +
              `${percentText(time.bound_us / time.simulated_us)} of the ` +
              `bound (${time.binding})`),
      onmouseleave: hideTip,
      onclick: () => openDetail(kernel),
      onkeydown: (event) => {
        if (event.key === 'Enter') openDetail(kernel);
      },
    }));
  }
  into.replaceChildren(svg);
}
