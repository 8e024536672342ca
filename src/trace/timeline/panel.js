// SPDX-License-Identifier: Apache-2.0
// The side panel: the launch or the selected slice in words, and the source.

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value !== null) node.setAttribute(name, value);
  }
  fill(node, ...children);
  return node;
}

// Puts children in the place of what a node holds; null stands for nothing.
function fill(node, ...children) {
  node.replaceChildren(...children.filter(child => child !== null));
}

const KEYWORDS = new Set(
    ('alignas auto bool break case class const constexpr continue default do ' +
     'double else enum extern false float for half if inline int int8_t ' +
     'int16_t int32_t int64_t namespace new nullptr operator private public ' +
     'return short signed sizeof static struct switch template this true ' +
     'typedef typename uint8_t uint16_t uint32_t uint64_t union unsigned ' +
     'using void while __aicore__ __global__ __gm__ __vector__ __cube__ ' +
     '__mix__ GM_ADDR').split(' '));

// Comment, string, directive, number, word, anything else.
const TOKENS = new RegExp([
  String.raw`(\/\/.*|^\s*\*.*|\/\*.*?(?:\*\/|$))`,
  String.raw`("(?:\\.|[^"])*"|'(?:\\.|[^'])*')`,
  String.raw`(^\s*#\s*\w+)`, String.raw`(\b\d[\w.]*)`,
  String.raw`([A-Za-z_]\w*)`, String.raw`([\s\S])`,
].join('|'), 'g');

// One line of C++ as nodes; block comments are coloured by line only.
function colouredLine(text) {
  const nodes = [];
  const tokens = text.matchAll(TOKENS);
  for (const [token, comment, string, directive, number, word] of tokens) {
    const kind = comment ? 'comment' : string ? 'string' :
        directive ? 'keyword' : number ? 'number' :
        word && KEYWORDS.has(word) ? 'keyword' : null;
    if (kind) nodes.push(element('span', {class: kind}, token));
    else if (typeof nodes[nodes.length - 1] === 'string') {
      nodes[nodes.length - 1] += token;
    } else nodes.push(token);
  }
  return nodes;
}

function pipeColour(pipe) {
  return `var(--pipe-${PIPES[pipe].toLowerCase()})`;
}

class Panel {
  // `actions`: selectSlice(slice), showLine(key), stepLine(direction).
  constructor(data, actions) {
    this.data = data;
    this.actions = actions;
    this.details = document.getElementById('details');
    this.source = document.getElementById('source');
    this.fileList = document.getElementById('file');
    this.fileList.addEventListener(
        'change', () => this.showFile(this.fileList.value));
  }

  setLaunch(launch) {
    this.launch = launch;
    this.lines = timeByLine(launch);
    this.file = null;
    const {sources} = this.data;
    this.fileList.replaceChildren(...sources.map(source => element(
        'option', {value: source.file, title: source.file},
        baseName(source.file))));
    this.fileList.hidden = sources.length < 2;
    const hot = this.hottest(() => true);
    if (hot && sources.some(source => source.file === hot.place.file)) {
      this.showFile(hot.place.file);
    } else if (sources.length) {
      this.showFile(sources[0].file);
    } else {
      this.source.replaceChildren(element(
          'p', {class: 'hint'}, 'The source was not there to be read.'));
    }
    this.showLaunch();
  }

  table(rows) {
    return element('dl', {}, ...rows.filter(row => row).flatMap(
        ([name, value]) =>
            [element('dt', {}, name), element('dd', {}, value)]));
  }

  showLaunch() {
    const {launch} = this;
    const pipes = launch.pipes.map(number => {
      const shares = launch.cores
          .map(core => core.pipes.find(pipe => pipe.pipe === number))
          .filter(pipe => pipe)
          .map(pipe => utilisation(pipe, 0, launch.total));
      const mean = shares.reduce((a, b) => a + b, 0) / shares.length;
      return element(
          'tr', {}, element('th', {scope: 'row'}, PIPES[number]),
          element('td', {}, percentText(mean)),
          element('td', {}, percentText(Math.min(...shares))),
          element('td', {}, percentText(Math.max(...shares))));
    });
    const drawn = launch.cores.filter(core => core.kept).length;
    const top = [...this.lines.values()]
        .sort((a, b) => b.total - a.total).slice(0, 5)
        .map(line => element(
            'li', {}, this.lineButton(line.key, placeText(line.place)),
            ` ${timeText(line.total / drawn)} a core, ` +
            `${countText(line.count)} slices`));
    fill(this.details,
        element('h2', {}, launch.kernel),
        this.table([
          ['Total (simulated)', timeText(launch.total)],
          ['On the cores', timeText(launch.cores_time)],
          ['Launch and end',
            `${timeText(launch.launch)} + ${timeText(launch.finish)}`],
          ['Blocks', `${launch.blocks} on ${launch.cores.length} cores`],
          ['Slices', countText(launch.given)],
          launch.timing_only ?
            ['Mode', 'timing only: no values were computed'] : null,
        ]),
        element('h3', {}, 'Busy share of the total, by pipe'),
        element('table', {},
            element('tr', {}, ...['pipe', 'mean', 'least', 'most'].map(
                name => element('th', {scope: 'col'}, name))),
            ...pipes),
        top.length ? element('h3', {}, 'Lines that take the most time') : null,
        element('ol', {}, ...top));
  }

  lineButton(key, text) {
    return element(
        'button', {class: 'link', onclick: () => this.actions.showLine(key)},
        text);
  }

  stallText(row, i) {
    if (row.stall[i] === 0) return 'none';
    const cause = CAUSES[row.cause[i]];
    const pipe = CAUSES_OF_PIPE.has(row.cause[i]) ?
        ` (${PIPES[row.waitedFor[i]]})` : '';
    return `${timeText(row.stall[i])}: ${cause}${pipe}`;
  }

  // What the slice did, as rows of the table.
  workRows(kind, duration) {
    const {sizes} = kind;
    const rows = [];
    if (sizes.bytes !== undefined) {
      const rate = duration > 0 ?
          `, ${rateText(sizes.bytes, duration)}` : '';
      rows.push(['Bytes', `${countText(sizes.bytes)} ` +
          `(${bytesText(sizes.bytes)}${rate})`]);
    }
    if (sizes.bursts > 1) {
      rows.push(['Bursts', `${countText(sizes.bursts)} of ` +
          bytesText(sizes['burst bytes'])]);
    }
    if (sizes.repeats !== undefined) {
      rows.push(['Repeats', countText(sizes.repeats)]);
    }
    if (sizes.elements) rows.push(['Elements', countText(sizes.elements)]);
    if (sizes.steps !== undefined) rows.push(['Steps', countText(sizes.steps)]);
    return rows;
  }

  showSlice({row, index: i}) {
    const {launch} = this;
    const kind = launch.kinds[row.kind[i]];
    const place = launch.places[kind.place];
    const key = lineKey(launch, row.kind[i]);
    const duration = row.end[i] - row.start[i];
    const line = key && this.lines.get(key);
    const arrows = arrowsOf({row, index: i}).map(arrow => {
      const other = arrow.other.row;
      const name = launch.kinds[other.kind[arrow.other.index]].name;
      return element(
          'li', {},
          element('span', {class: arrow.byQueue ? 'queue' : 'flag'},
                  arrow.leaves ? '→ ' : '← '),
          element('button', {
            class: 'link',
            onclick: () => this.actions.selectSlice(arrow.other),
          }, `${other.pipe.name} ${name}`),
          ` by ${arrow.byQueue ? 'a queue, ' : ''}flag ${arrow.id}, ` +
          `${timeText(arrow.met - arrow.set)} later`);
    });
    fill(this.details,
        element('h2', {}, kind.name),
        element('p', {class: 'where'},
            element('span', {class: 'pipe',
                style: `--colour:${pipeColour(row.pipe.pipe)}`},
                row.pipe.name),
            ` ${row.pipe.core.name}, block ${row.block[i]}`),
        place ? element('p', {class: 'code'},
            this.lineButton(key, placeText(place)), ' ',
            element('code', {}, this.textOf(place).trim())) : null,
        this.table([
          ['Start', `${clockText(row.start[i], 1)}`],
          ['Duration', `${timeText(duration)} · ${cyclesText(duration)}`],
          ['Issued', `${timeText(row.start[i] - row.issued[i])} before`],
          ['Pipe stood still before', this.stallText(row, i)],
          ...this.workRows(kind, duration),
          row.conflict[i] ? ['Lost to bank conflicts',
            `${timeText(row.conflict[i])} · ${cyclesText(row.conflict[i])}`] :
            null,
          row.contention[i] ? ['Waited for other traffic',
            `${timeText(row.contention[i])} · ` +
            cyclesText(row.contention[i])] : null,
        ]),
        arrows.length ? element('h3', {}, 'Flags') : null,
        element('ul', {}, ...arrows),
        line ? element('h3', {}, 'All slices of this line') : null,
        line ? element('p', {},
            `${countText(line.count)}, ${timeText(line.total)} in all. `,
            element('button', {onclick: () => this.actions.stepLine(-1)},
                    'Previous'), ' ',
            element('button', {onclick: () => this.actions.stepLine(1)},
                    'Next')) : null);
    if (key) this.showLine(key);
  }

  textOf(place) {
    const source = this.data.sources.find(s => s.file === place.file);
    if (!source) return '';
    source.lines = source.lines || source.text.split('\n');
    return source.lines[place.line - 1] || '';
  }

  showFile(file) {
    if (this.file === file) return;
    this.file = file;
    this.fileList.value = file;
    const source = this.data.sources.find(s => s.file === file);
    source.lines = source.lines || source.text.split('\n');
    const most = Math.max(
        1, ...[...this.lines.values()].map(line => line.total));
    this.source.replaceChildren(...source.lines.map((text, i) => {
      const key = `${file}:${i + 1}`;
      const line = this.lines.get(key);
      return element(
          'div', {
            class: line ? 'line timed' : 'line',
            'data-key': key,
            role: line ? 'button' : null,
            tabindex: line ? '0' : null,
            title: line ? this.lineTitle(line) : null,
            onclick: () => line && this.actions.showLine(key),
            onkeydown: event => {
              if (line && event.key === 'Enter') this.actions.showLine(key);
            },
          },
          element('span', {class: 'number'}, String(i + 1)),
          element('span', {class: 'share'}, ...this.bars(line, most)),
          element('span', {class: 'text'}, ...colouredLine(text)));
    }));
    const hot = this.hottest(line => line.place.file === file);
    if (hot) this.scrollTo(this.source.children[hot.place.line - 1]);
  }

  // The line that takes the most time of those `wanted` accepts.
  hottest(wanted) {
    return [...this.lines.values()].filter(wanted)
        .sort((a, b) => b.total - a.total)[0];
  }

  scrollTo(node) {
    if (!node) return;
    this.source.scrollTop = node.offsetTop - this.source.offsetTop -
        this.source.clientHeight / 3;
  }

  bars(line, most) {
    if (!line) return [];
    return [...line.pipes.entries()].sort((a, b) => a[0] - b[0]).map(
        ([pipe, time]) => element('i', {
          style: `width:${time / most * 100}%;` +
              `background:${pipeColour(pipe)}`,
        }));
  }

  lineTitle(line) {
    const pipes = [...line.pipes.entries()].map(
        ([pipe, time]) => `${PIPES[pipe]} ${timeText(time)}`);
    return `${countText(line.count)} slices, all cores: ${pipes.join(', ')}`;
  }

  // Marks a line and scrolls to it; null for none.
  showLine(key) {
    for (const node of this.source.querySelectorAll('.chosen')) {
      node.classList.remove('chosen');
    }
    if (!key) return;
    const file = key.slice(0, key.lastIndexOf(':'));
    if (!this.data.sources.some(s => s.file === file)) return;
    this.showFile(file);
    for (const node of this.source.children) {
      if (node.dataset.key !== key) continue;
      node.classList.add('chosen');
      this.scrollTo(node);
    }
  }
}
