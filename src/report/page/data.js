// SPDX-License-Identifier: Apache-2.0
// Reads what the program wrote into the page; report_data.cpp is the other side.

const report = JSON.parse(document.getElementById('data').textContent);
const kernels = report.kernels.map((kernel, index) => ({...kernel, index}));

// The figures of one kernel that tables and charts show.
function figuresOf(kernel) {
  const timed = kernel.verdict.times.filter((time) => time.simulated_us > 0);
  const sum = (f) => timed.reduce((total, time) => total + f(time), 0);
  return {
    simulated: sum((time) => time.simulated_us),
    share: timed.length ?
        sum((time) => time.bound_us / time.simulated_us) / timed.length : 0,
    speedup: kernel.verdict.speedup,
    hap: kernel.verdict.hap,
  };
}
for (const kernel of kernels) kernel.figures = figuresOf(kernel);

function modelOf(kernel) {
  return kernel.manifest.model ? String(kernel.manifest.model) : '';
}
