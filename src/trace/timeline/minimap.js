// SPDX-License-Identifier: Apache-2.0
// The whole launch in small, with the view as a window in it.

class Minimap {
  constructor(canvas) {
    this.canvas = canvas;
    this.overview = null;  // utilisation by pipe and pixel of one launch
  }

  paint(view, {colour, pipes, small}) {
    const {context: c, width, height} = prepareCanvas(this.canvas);
    const {launch} = view;
    const plot = width - GUTTER;
    c.fillStyle = colour.gutter;
    c.fillRect(0, 0, width, height);
    if (!this.overview || this.overview.launch !== launch ||
        this.overview.width !== plot) {
      const steps = Math.max(1, Math.floor(plot));
      this.overview = {
        launch, width: plot,
        shares: launch.pipes.map(
            pipe => meanUtilisation(launch, pipe, 0, launch.total, steps)),
      };
    }
    const lane = (height - 6) / Math.max(1, launch.pipes.length);
    launch.pipes.forEach((pipe, i) => {
      const shares = this.overview.shares[i];
      c.fillStyle = pipes[pipe];
      for (let x = 0; x < shares.length; ++x) {
        const bar = (lane - 1) * Math.min(1, shares[x]);
        if (bar > 0.1) {
          c.fillRect(GUTTER + x, 3 + (i + 1) * lane - bar, 1, bar);
        }
      }
    });
    const left = GUTTER + Math.max(0, view.from / launch.total) * plot;
    const right = GUTTER + Math.min(1, view.to / launch.total) * plot;
    c.fillStyle = colour.gutter;
    c.globalAlpha = 0.65;
    c.fillRect(GUTTER, 0, left - GUTTER, height);
    c.fillRect(right, 0, width - right, height);
    c.globalAlpha = 1;
    c.strokeStyle = colour.accent;
    c.lineWidth = 1.5;
    c.strokeRect(left + 0.75, 0.75, Math.max(3, right - left - 1.5),
                 height - 1.5);
    c.font = small;
    c.textBaseline = 'middle';
    c.fillStyle = colour.faint;
    c.fillText(`${launch.cores.length} cores, ${timeText(launch.total)}`, 8,
               height / 2);
  }
}
