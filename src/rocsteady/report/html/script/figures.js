/* The figures of "Reading the curve": Python drew them; here paths are exchanged and marks moved. */

const LOOKS = 9;

/* The interval along what is free: none for a rate that is held, one bar where both rates move together. */
function barsAt(mode, numbers, at) {
  const [fpr, left, right, tpr, low, high] = ['fpr', 'fpr_low', 'fpr_high', 'tpr', 'tpr_low', 'tpr_high'].map(
    (name) => numbers[name][at],
  );
  if (mode.isSlanted && left !== null && low !== null) return [left, high, right, low];
  return [...(left === null ? [] : [left, tpr, right, tpr]), ...(low === null ? [] : [fpr, low, fpr, high])];
}

class Figures {
  constructor(light, words, numbers) {
    this.light = light;
    this.words = words;
    this.numbers = numbers;
    this.furthest = 1;
    this.model = 0;
    this.own = new Map();
    this.faint = new Map();
    this.dots = all('#r-dots > circle');
    this.canvas = byId('r-canvas');
  }

  x(fpr) {
    const { left, side } = this.light.roc;
    return left + (side * fpr) / this.furthest;
  }

  y(tpr) {
    const { top, side } = this.light.roc;
    return top + side * (1 - tpr);
  }

  /* Another average (null: all of them) or another model: lines, bands, key, densities, strips. */
  show(mode, model) {
    this.model = model;
    const look = `m${model % LOOKS}`;
    this.showLines(mode, model);
    for (const name of ['pointwise', 'simultaneous']) {
      const band = byId(`r-${name}`);
      band.setAttribute('d', mode === null ? '' : mode.readings[model][name]);
      band.setAttribute('class', `r-band r-${name} ${look}`);
    }
    byId('r-marks').setAttribute('class', look);
    byId('r-dots').toggleAttribute('hidden', mode === null);
    byId('r-point').toggleAttribute('hidden', mode === null);
    byId('r-beyond').toggleAttribute('hidden', true);
    this.showScores(mode, model, look);
    for (const element of all('.r-faint, .r-ticks')) {
      element.toggleAttribute('hidden', Number(element.dataset.model) !== model);
    }
    if (mode === null) {
      for (const name of ['guide', 'bar', 'density-thresholds', 'strip-thresholds']) {
        byId(`r-${name}`).setAttribute('d', '');
      }
    }
    this.paint();
  }

  showLines(mode, model) {
    const kind = mode === null ? 'averages' : 'models';
    for (const own of ['averages', 'models']) {
      for (const part of ['lines', 'key']) byId(`r-${part}-${own}`)?.toggleAttribute('hidden', own !== kind);
    }
    const key = mode === null ? this.words.models[model].key : mode.keyWords;
    for (const word of all('[data-key]', byId(`r-key-${kind}`))) word.textContent = key[Number(word.dataset.key)];
    for (const path of all('[data-line]', byId(`r-lines-${kind}`))) {
      const k = Number(path.dataset.line);
      const reading = mode === null ? this.words.modes[k].readings[model] : mode.readings[k];
      path.setAttribute('d', reading.line);
      if (mode === null) continue;
      path.classList.toggle('r-other', k !== model);
      if (k === model) path.parentNode.append(path); // over the others
    }
    if (mode !== null) byId('r-key-models').querySelector('.r-note-words').textContent = mode.note;
  }

  showScores(mode, model, look) {
    const { densities, strips, scoreWords, outside, absent } = this.words.models[model];
    ['negative', 'positive'].forEach((name, k) => byId(`r-${name}`).setAttribute('d', densities[k]));
    for (const name of ['positive', 'swatch']) byId(`r-${name}`).setAttribute('class', `r-positive ${look}`);
    ['whole', 'half', 'positive'].forEach((name, k) => byId(`r-strip-${name}`).setAttribute('d', strips[k]));
    byId('r-strip-positive').setAttribute('class', `r-median ${look}`);
    byId('r-score-words').textContent = scoreWords;
    byId('r-outside').textContent = outside;
    this.absent = new Set(absent);
    this.dots.forEach((dot, i) => dot.toggleAttribute('hidden', this.absent.has(i)));
    const isOne = mode !== null && mode.question === 'shared';
    byId('r-density-thresholds').setAttribute('class', isOne ? 'r-thresholds r-one' : 'r-thresholds');
  }

  /* Where the shown groups stand, unpacked when an average is first looked at: FPR, TPR, threshold. */
  ownOf(reading) {
    if (!this.own.has(reading)) {
      this.own.set(reading, reading.own.map((place) => unpacked(this.numbers, place)));
    }
    return this.own.get(reading);
  }

  /* One step of the slider. */
  move(mode, model, at) {
    const reading = mode.readings[model];
    const [fpr, tpr, thresholds] = this.ownOf(reading);
    const n = this.light.nShown;
    const columns = reading.labels.length;
    const { quanta } = this.light;
    for (let i = 0; i < n; i += 1) {
      const from = i * columns + at;
      const x = this.x(fpr[from] / quanta).toFixed(1);
      const y = this.y(tpr[from] / quanta).toFixed(1);
      this.dots[i].setAttribute('transform', `translate(${x} ${y})`);
    }
    const x = this.x(reading.numbers.fpr[at]).toFixed(1);
    const y = this.y(reading.numbers.tpr[at]).toFixed(1);
    byId('r-point').setAttribute('transform', `translate(${x} ${y})`);
    this.showBeyond(reading.beyond[at], y);
    byId('r-bar').setAttribute('d', this.segments(barsAt(mode, reading.numbers, at)));
    byId('r-guide').setAttribute('d', this.segments(reading.guides[at]));
    this.moveThresholds(mode, thresholds, at, columns);
  }

  /* Of a point that the zoom leaves outside, the edge says where it is. */
  showBeyond(words, y) {
    const isBeyond = this.furthest < 1 && words !== '';
    const sign = byId('r-beyond');
    sign.toggleAttribute('hidden', !isBeyond);
    if (!isBeyond) return;
    const { left, side } = this.light.roc;
    sign.setAttribute('class', `r-beyond m${this.model % LOOKS}`);
    sign.setAttribute('transform', `translate(${left + side} ${y})`);
    byId('r-beyond-words').textContent = words;
  }

  segments(ends) {
    let data = '';
    for (let i = 0; i < ends.length; i += 4) {
      data += `M${this.x(ends[i]).toFixed(1)} ${this.y(ends[i + 1]).toFixed(1)}`;
      data += `L${this.x(ends[i + 2]).toFixed(1)} ${this.y(ends[i + 3]).toFixed(1)}`;
    }
    return data;
  }

  moveThresholds(mode, thresholds, at, columns) {
    const { left, across, top, bottom, row } = this.light.scores;
    const { nShown, quanta } = this.light;
    const isOne = mode.question === 'shared';
    let over = '';
    let strips = '';
    for (let i = 0; i < nShown; i += 1) {
      if (this.absent.has(i)) continue;
      const x = (across * thresholds[i * columns + at]) / quanta;
      // Strips are drawn in tenths.
      strips += `M${(10 * x).toFixed(0)} ${(10 * row * (i + 0.1)).toFixed(0)}v${(8 * row).toFixed(0)}`;
      if (!isOne) over += `M${(left + x).toFixed(1)} ${bottom - 26}V${bottom}`;
      else if (over === '') over = `M${(left + x).toFixed(1)} ${top - 6}V${bottom}`;
    }
    byId('r-density-thresholds').setAttribute('d', over);
    byId('r-strip-thresholds').setAttribute('d', strips);
  }

  zoom(isZoomed) {
    const { left, top, side, units, zoom } = this.light.roc;
    this.furthest = isZoomed ? zoom : 1;
    const scale = side / units;
    byId('r-plane').setAttribute('transform', `translate(${left} ${top}) scale(${scale / this.furthest} ${scale})`);
    byId('r-roc').classList.toggle('r-is-zoomed', isZoomed);
    this.paint();
  }

  /* The faint curves, many and thin, stand on a canvas so that moving marks over them costs nothing. */
  paint() {
    const { left, top, side, width, height, faintUnits } = this.light.roc;
    const { canvas } = this;
    const sharp = Math.max(window.devicePixelRatio || 1, 1) * (canvas.clientWidth / width || 1);
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(height * sharp);
    const { faint, lengths } = this.words.models[this.model];
    if (!this.faint.has(this.model)) {
      this.faint.set(this.model, faint.map((place) => unpacked(this.numbers, place)));
    }
    const [fpr, tpr] = this.faint.get(this.model);
    const pen = canvas.getContext('2d');
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.beginPath();
    pen.rect(left, top, side, side);
    pen.clip();
    pen.strokeStyle = getComputedStyle(byId('r-marks')).getPropertyValue('--model').trim();
    pen.lineWidth = 1;
    pen.globalAlpha = Math.min(Math.max(1.1 / Math.sqrt(lengths.length || 1), 0.07), 0.4);
    let from = 0;
    for (const length of lengths) {
      pen.beginPath();
      for (let i = from; i < from + length; i += 1) {
        pen.lineTo(this.x(fpr[i] / faintUnits), this.y(tpr[i] / faintUnits));
      }
      pen.stroke();
      from += length;
    }
  }
}
