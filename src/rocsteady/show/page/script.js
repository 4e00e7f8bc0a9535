'use strict';
/* The page is complete without this; with it, it answers. Nothing is computed here: numbers, marks and sentences
   are looked up and put in their places. Names from the data enter as text only. */
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const setHidden = (element, isHidden) => element?.toggleAttribute('hidden', isHidden);

  async function lookedUp() {
    const packed = Uint8Array.from(atob(JSON.parse(byId('island').textContent)), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return JSON.parse(await new Response(stream).text());
  }

  /* A number stays with its unit, and a sign with its number, at the end of a line. */
  const unbroken = (text) => text.replace(/(\d) (?=%|\d{3}(?!\d))|([\u2265\u2264<>\u00b1=]) (?=[\d\u2212])/g, '$1$2\u00a0');

  function strong(text) {
    const element = document.createElement('b');
    element.textContent = text;
    return element;
  }

  function makeShape(name, attributes) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  /* "Reading the curve": one state, drawn at most once per frame. */
  class Reading {
    constructor(data) {
      Object.assign(this, { data, use: null, model: 0, at: 0, isZoomed: false, isWaiting: false });
      this.slider = byId('r-slider');
      this.opened = {
        lead: byId('r-lead').textContent,
        name: byId('u-name')?.textContent,
        meaning: byId('u-meaning')?.textContent,
        note: byId('r-note').textContent,
        caption: all('#reading figcaption')[0].textContent,
      };
      this.dots = all('#r-dots > circle');
      for (const own of data.uses) for (const reading of own.readings) reading.own = reading.own.map((v) => this.unpacked(v, reading));
      this.slider.addEventListener('input', () => { this.at = this.turned(Number(this.slider.value)); this.later(); });
      byId('r-zoom')?.addEventListener('click', () => this.zoom());
      byId('r-return').addEventListener('click', () => { this.back(); this.slider.focus(); });
      for (const button of all('#r-models button')) button.addEventListener('click', () => this.choose(this.use, Number(button.dataset.model)));
      byId('r-model')?.addEventListener('change', (event) => this.choose(this.use, Number(event.target.value)));
      for (const button of all('[data-back]')) button.addEventListener('click', () => this.backFrom(button));
      for (const radio of all('#uses input[type=radio]')) radio.addEventListener('change', () => this.answered(radio));
      document.documentElement.classList.add('scripted');
      setHidden(byId('r-buttons'), false);
      setHidden(byId('r-return'), false);
      this.choose(this.useOf(data.first), 0);
      new ResizeObserver(() => this.reserve()).observe(byId('r-controls'));
    }

    useOf(key) { return this.data.uses.find((own) => own.key === key) ?? null; }

    get reading() { return this.use.readings[this.model]; }

    /* Shares in whole numbers, each as the step from the one before, a row for each group. */
    unpacked(steps, { labels }) {
      const values = new Uint16Array(steps.length);
      steps.forEach((step, i) => { values[i] = (i % labels.length ? values[i - 1] : 0) + step; });
      return values;
    }

    /* To the right is more of what is held, by the name that it has here. */
    turned(at) { return this.reading.turned ? this.reading.labels.length - 1 - at : at; }

    x(units) { const { left, side, units: whole, zoom } = this.data.plane; return left + (side * units) / whole / (this.isZoomed ? zoom : 1); }

    y(units) { const { top, side, units: whole } = this.data.plane; return top + (side * units) / whole; }

    place(x, y) { return `translate(${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)})`; }

    segments(ends) {
      let path = '';
      for (let i = 0; i < ends.length; i += 4) {
        path += `M${this.x(ends[i]).toFixed(1)} ${this.y(ends[i + 1]).toFixed(1)}L${this.x(ends[i + 2]).toFixed(1)} ${this.y(ends[i + 3]).toFixed(1)}`;
      }
      return path;
    }

    /* The first answer leads on to the first use that goes with it, if one was declared; the second names a use. */
    answered(radio) {
      if (radio.name !== 'u-question') this.choose(this.useOf(radio.value), this.model);
      else if (this.data.first === '') {
        this.choose(null, this.model);
        radio.checked = true;
        this.showSecond(radio.value);
      } else {
        const first = this.useOf(this.data.first);
        this.choose(first.question === radio.value ? first : this.data.uses.find((own) => own.question === radio.value), this.model);
      }
    }

    showSecond(question) {
      for (const own of all('#uses fieldset[data-question]')) {
        if (own.dataset.question !== '') setHidden(own, question !== null && own.dataset.question !== question);
      }
    }

    back() { this.choose(this.useOf(this.data.first), 0); }

    backFrom(button) {
      const isBelow = button.closest('#reading') !== null;
      this.back();
      const next = isBelow && this.use !== null ? this.slider : all('#uses input:checked, #uses input')[0];
      next?.focus();
    }

    /* The setting of another model that is like the present one: the first, or the same, or that of a near point. */
    likewise(from, to, at) {
      if (at === from.start) return to.start;
      if (from.labels[at] === to.labels[at]) return at;
      const [x, y] = from.points[at];
      const gaps = to.points.map(([a, b]) => Math.abs(a - x) + Math.abs(b - y));
      return gaps.indexOf(Math.min(...gaps));
    }

    choose(use, model) {
      if (use !== null) {
        const isSame = use === this.use && model !== this.model;
        this.at = isSame ? this.likewise(this.reading, use.readings[model], this.at) : use.readings[model].start;
      }
      Object.assign(this, { use, model });
      this.showAnswers();
      this.showModel();
      setHidden(byId('r-controls'), use === null);
      setHidden(this.slider, use === null);
      setHidden(byId('r-marks'), use === null);
      byId('r-figures').classList.toggle('of-all', use === null);
      this.showLines();
      byId('r-lead').textContent = use === null ? this.opened.lead : this.data.lead;
      if (use === null) return;
      byId('r-held').textContent = use.held;
      this.slider.max = String(this.reading.labels.length - 1);
      this.showTable();
      this.reserve();
      this.step();
    }

    showAnswers() {
      const { use, data } = this;
      if (use !== null) this.showSecond(data.uses.some((own) => own.question !== use.question) && byId('u-first') ? use.question : null);
      else this.showSecond(null);
      for (const radio of all('#uses input[type=radio]')) radio.checked = use !== null && [use.question, use.key].includes(radio.value);
      const isFirst = (use?.key ?? '') === data.first;
      for (const own of all('[data-exploring]')) setHidden(own, isFirst);
      if (!byId('u-name')) return;
      byId('u-name').textContent = use === null ? '' : `${use.name}.`;
      byId('u-meaning').textContent = use === null ? this.opened.meaning : use.meaning;
    }

    /* Scores, rows of groups and single curves of the model. */
    showModel() {
      const { areas, strips, ticks, axis, outside, faint } = this.data.drawn[this.model];
      const look = `m${this.data.looks[this.model]}`;
      byId('r-faint').setAttribute('d', faint);
      ['negative', 'positive'].forEach((name, k) => byId(`r-${name}`).setAttribute('d', areas[k]));
      ['whole', 'half', 'median'].forEach((name, k) => byId(`r-${name}`).setAttribute('d', strips[k]));
      byId('r-ticks').replaceChildren(...ticks.map(([x, text]) => {
        const word = makeShape('text', { x, y: this.data.scores.bottom + 16, class: 'ax middle' });
        word.textContent = text;
        return word;
      }));
      byId('r-axis').textContent = axis;
      byId('r-outside').textContent = outside;
      const looks = { faint: 'faint', band: 'band', positive: 'positive', swatch: 'positive', median: 'median', marks: '', beyond: 'beyond' };
      for (const [name, own] of Object.entries(looks)) byId(`r-${name}`).setAttribute('class', `${own} ${look}`.trim());
      for (const button of all('#r-models button')) button.setAttribute('aria-pressed', String(Number(button.dataset.model) === this.model));
      if (byId('r-model')) byId('r-model').value = String(this.model);
    }

    /* The bold lines with their key: one of each model, or one of each average. */
    showLines() {
      const { use, model, data } = this;
      const found = use === null
        ? data.drawn[model].averages.map(([path, words], k) => [path, words, k, ''])
        : use.readings.map((own, k) => [own.line, own.key, data.looks[k], data.models[k]]);
      const order = found.map((_, k) => k).filter((k) => k !== model || use === null).reverse();
      if (use !== null) order.push(model); // over the others
      byId('r-lines').replaceChildren(...order.map((k) => {
        const isOther = use !== null && k !== model;
        return makeShape('path', { d: found[k][0], class: `line m${found[k][2]}${isOther ? ' other' : ''}`, 'data-line': k });
      }));
      const { left, top, side } = data.plane;
      const [right, bottom] = [left + side, top + side];
      const rows = found.map(([, words, look, name], k) => {
        const at = bottom - 20 - 24 * (found.length - k);
        const row = makeShape('g', { class: `m${look}` });
        const title = makeShape('title', {});
        title.textContent = name;
        const text = makeShape('text', { x: right - 48, y: at + 5, class: 'word end', 'data-key': k });
        text.textContent = words;
        row.append(...(name ? [title] : []), makeShape('path', { class: 'line', d: `M${right - 40} ${at}h30` }), text);
        return row;
      });
      const note = byId('r-note');
      note.textContent = use === null ? this.opened.note : use.note;
      byId('r-key').replaceChildren(...rows, note);
      byId('r-band').setAttribute('d', use === null ? '' : this.reading.band);
      if (use === null) for (const name of ['over', 'own']) byId(`r-${name}`).setAttribute('d', '');
    }

    /* Room for the longest sentence, so that the figures stay where they are while the slider moves. */
    reserve() {
      if (this.use === null) return;
      const length = (at) => this.pieces(at).reduce((sum, [text]) => sum + text.length, 0);
      const longest = this.reading.labels.reduce((best, _, at) => (length(at) > length(best) ? at : best), 0);
      const trial = document.createElement('p');
      trial.className = 'trial';
      this.write(trial, longest);
      byId('r-sentence').after(trial);
      byId('r-sentence').style.minHeight = `${trial.getBoundingClientRect().height}px`;
      trial.remove();
    }

    pieces(at) { return this.reading.sentence.map(([own, isStrong]) => [typeof own === 'string' ? own : own[at], isStrong]); }

    write(element, at) {
      element.replaceChildren(...this.pieces(at).map(([text, isStrong]) => (isStrong ? strong(unbroken(text)) : unbroken(text))));
    }

    later() {
      if (this.isWaiting) return;
      this.isWaiting = true;
      window.requestAnimationFrame(() => {
        this.isWaiting = false;
        if (this.use !== null) this.step();
      });
    }

    /* One step of the slider. */
    step() {
      const { reading, at, use } = this;
      this.slider.value = String(this.turned(at));
      this.slider.setAttribute('aria-valuetext', reading.labels[at]);
      byId('r-value').textContent = unbroken(reading.labels[at]);
      this.write(byId('r-sentence'), at);
      byId('r-point').setAttribute('transform', this.place(...reading.points[at]));
      byId('r-bar').setAttribute('d', this.segments(reading.bars[at]));
      byId('r-guide').setAttribute('d', this.segments(reading.guides[at]));
      this.moveGroups(reading, at, use.question === 'shared');
      const isBeyond = this.isZoomed && reading.beyond[at] !== '';
      setHidden(byId('r-beyond'), !isBeyond);
      if (isBeyond) {
        const { left, side } = this.data.plane;
        byId('r-beyond').setAttribute('transform', `translate(${left + side} ${this.y(reading.points[at][1]).toFixed(1)})`);
        byId('r-beyond').querySelector('text').textContent = reading.beyond[at];
      }
      this.showWayBack();
      this.speakLater();
    }

    moveGroups(reading, at, isShared) {
      const { left, across, top, bottom, row, quanta, n } = this.data.scores;
      const [fpr, tpr, thresholds] = reading.own;
      const { units } = this.data.plane;
      const columns = reading.labels.length;
      const absent = new Set(reading.absent);
      let over = '';
      let own = '';
      for (let i = 0; i < n; i += 1) {
        setHidden(this.dots[i], absent.has(i));
        if (absent.has(i)) continue;
        const k = i * columns + at;
        this.dots[i].setAttribute('transform', this.place((units * fpr[k]) / quanta, units * (1 - tpr[k] / quanta)));
        const x = (across * thresholds[k]) / quanta;
        own += `M${(10 * x).toFixed(0)} ${(10 * row * (i + 0.1)).toFixed(0)}v${(8 * row).toFixed(0)}`;
        if (!isShared) over += `M${(left + x).toFixed(1)} ${bottom - 26}V${bottom}`;
        else if (over === '') over = `M${(left + x).toFixed(1)} ${top - 6}V${bottom}`;
      }
      byId('r-over').setAttribute('d', over);
      byId('r-over').setAttribute('class', isShared ? 'thresholds one' : 'thresholds');
      byId('r-own').setAttribute('d', own);
    }

    showWayBack() {
      const isFirst = this.use.key === this.data.first;
      const share = this.turned(this.reading.start) / Math.max(this.reading.labels.length - 1, 1);
      const tick = byId('r-tick');
      setHidden(tick.parentElement, !isFirst);
      tick.style.left = `${100 * share}%`;
      tick.classList.toggle('leftward', share > 0.7);
      byId('r-return').classList.toggle('idle', !isFirst || (this.model === 0 && this.at === this.reading.start));
    }

    /* Read out when the slider rests, not at every step. */
    speakLater() {
      const text = byId('r-sentence').textContent;
      window.clearTimeout(this.speaking);
      this.said ??= text;
      if (this.said === text) return;
      this.speaking = window.setTimeout(() => { this.said = text; byId('r-spoken').textContent = text; }, 400);
    }

    /* The table beside the figure follows it: the first column is what is held, the others are of the same names. */
    showTable() {
      const table = document.querySelector('#r-numbers table');
      const { rows, marked, heads, caption } = this.reading;
      table.caption.firstElementChild.textContent = caption;
      const cells = (row, names, texts) => texts.map((text, k) => {
        const cell = document.createElement(names);
        if (names === 'th' || k === 0) cell.scope = names === 'th' ? 'col' : 'row';
        cell.textContent = unbroken(text);
        if (k === 0) cell.className = 'words';
        return cell;
      });
      table.tHead.rows[0].replaceChildren(...cells(table.tHead.rows[0], 'th', heads));
      table.tBodies[0].replaceChildren(...rows.map((texts, i) => {
        const row = document.createElement('tr');
        row.append(...cells(row, 'td', texts));
        if (i === marked) row.className = 'marked';
        return row;
      }));
    }

    zoom() {
      this.isZoomed = !this.isZoomed;
      byId('r-zoom').setAttribute('aria-pressed', String(this.isZoomed));
      const { left, top, side, units, zoom } = this.data.plane;
      const scale = side / units;
      byId('r-plane').setAttribute('transform', `translate(${left} ${top}) scale(${scale / (this.isZoomed ? zoom : 1)} ${scale})`);
      byId('r-back').classList.toggle('zoomed', this.isZoomed);
      this.later();
    }
  }

  /* The errors of three classes as points in a box that turns. Where they are seen follows from the view; what is
     said of them is looked up. */
  class Surface {
    constructor(data) {
      Object.assign(this, { data, axes: [...data.first], view: [...data.view], at: data.start, drag: null, isWaiting: false });
      this.box = byId('s-box');
      this.heldStill = window.matchMedia('(prefers-reduced-motion: reduce)');
      this.spots = data.kinds.map((kind) => this.spot(kind));
      this.shadows = data.kinds.map(() => makeShape('circle', { r: 1.8, class: 'shadow' }));
      byId('s-shadows').replaceChildren(...this.shadows);
      this.box.addEventListener('keydown', (event) => this.pressed(event));
      this.box.addEventListener('pointerdown', (event) => this.grasp(event));
      this.box.addEventListener('pointermove', (event) => this.moved(event));
      for (const name of ['pointerup', 'pointercancel']) this.box.addEventListener(name, () => this.release());
      for (const button of all('#s-surface [data-turn]')) button.addEventListener('click', () => this.press(button.dataset.turn));
      for (const button of all('#s-surface [data-step]')) button.addEventListener('click', () => this.show(this.at + Number(button.dataset.step)));
      for (const select of all('#s-axes select')) select.addEventListener('change', () => this.choose(Number(select.dataset.axis), Number(select.value)));
      byId('s-surface').classList.add('turns');
      this.draw();
      this.show(this.at);
    }

    spot(kind) {
      const spot = makeShape('g', { class: `spot ${kind}` });
      spot.append(makeShape('circle', { r: 4, class: 'dot' }));
      if (kind === 'alike') spot.append(makeShape('circle', { r: 7.5, class: 'ring' }));
      if (kind === 'chosen') spot.append(makeShape('path', { d: 'M-6-6L6 6M-6 6L6-6', class: 'cross' }));
      return spot;
    }

    /* Across, down, and towards the eye, of a place in the box from 0 to 1. */
    seen(place) {
      const [x, y, z] = place.map((share) => share - 0.5);
      const [turn, lift] = this.view.map((degrees) => (degrees * Math.PI) / 180);
      const along = Math.cos(turn) * x + Math.sin(turn) * y;
      const across = Math.cos(turn) * y - Math.sin(turn) * x;
      const [rise, sink] = [Math.cos(lift), Math.sin(lift)];
      return [215 * across, -215 * (rise * z - sink * along), rise * along + sink * z];
    }

    place(i) { return this.axes.map((axis) => this.data.axes[axis].at[i] / this.data.units); }

    path(places) { return `M${places.map((own) => this.seen(own).slice(0, 2).map((v) => v.toFixed(1)).join(' ')).join('L')}`; }

    /* Corners of a side of the box, or ends of an edge: those of axis k at one end, or for an edge the other axes at theirs. */
    corner(k, end, a, b) {
      const found = [0, 0, 0];
      [found[k], found[(k + 1) % 3], found[(k + 2) % 3]] = [end, a, b];
      return found;
    }

    drawSides() {
      const sides = [0, 1, 2].map((k) => {
        const end = this.seen(this.corner(k, 1, 0.5, 0.5))[2] > 0 ? 0 : 1;
        const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([a, b]) => this.corner(k, end, a, b));
        return makeShape('path', { class: 'side', d: `${this.path(corners)}z` });
      });
      byId('s-sides').replaceChildren(...sides);
    }

    /* Numbers stand along the lowest edge of an axis, those of the upright one along the edge at the right. */
    edge(k) {
      const corners = [[0, 0], [0, 1], [1, 0], [1, 1]];
      const order = corners.map(([a, b]) => {
        const [x, y] = this.seen(this.corner(k, 0.5, a, b));
        return { a, b, key: k === 2 ? [-x, y] : [-y, x] };
      });
      order.sort((one, two) => (Math.abs(one.key[0] - two.key[0]) > 1e-6 ? one.key[0] - two.key[0] : one.key[1] - two.key[1]));
      return order[0];
    }

    drawWords() {
      const words = [];
      [0, 1, 2].forEach((k) => {
        const { a, b } = this.edge(k);
        const ends = [0, 1].map((end) => this.seen(this.corner(k, end, a, b)));
        const [dx, dy] = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
        const length = Math.hypot(dx, dy);
        if (length < 45) return;
        const [mx, my] = [(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2];
        const side = -dy * mx + dx * my >= 0 ? 1 : -1;
        const [nx, ny] = [(-dy * side) / length, (dx * side) / length];
        const anchor = nx > 0.3 ? '' : nx < -0.3 ? 'end' : 'middle';
        words.push(makeShape('path', { class: 'edge', d: this.path([this.corner(k, 0, a, b), this.corner(k, 1, a, b)]) }));
        const write = (x, y, text, name) => {
          const word = makeShape('text', { x: x.toFixed(1), y: (y + 4).toFixed(1), class: name });
          word.textContent = text;
          words.push(word);
        };
        const { label, ticks } = this.data.axes[this.axes[k]];
        ticks.forEach(([at, text], i) => {
          if (length < 110 && i % 2) return;
          const [x, y] = this.seen(this.corner(k, at / this.data.units, a, b));
          write(x + 9 * nx, y + 10 * ny, text, `ax ${anchor}`);
        });
        if (k === 2) write(Math.max(ends[0][0], ends[1][0]) + 4, Math.min(ends[0][1], ends[1][1]) - 16, label, 'end');
        else write(mx + 34 * nx, my + 30 * ny, label, anchor);
      });
      byId('s-words').replaceChildren(...words);
    }

    /* What is nearer is larger and darker, and hides what is behind it; nothing hides the chosen point and its like. */
    drawSpots() {
      this.places = this.spots.map((_, i) => this.seen(this.place(i)));
      const rank = (i) => ['chosen', 'alike'].indexOf(this.data.kinds[i]) + 1 || 3;
      const order = this.places.map((_, i) => i).sort((i, j) => rank(j) - rank(i) || this.places[i][2] - this.places[j][2]);
      for (const i of order) {
        const [x, y, depth] = this.places[i];
        const near = Math.min(Math.max((depth + 0.85) / 1.7, 0), 1);
        this.spots[i].setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${(0.7 + 0.6 * near).toFixed(2)})`);
        this.spots[i].setAttribute('opacity', (0.35 + 0.65 * near).toFixed(2));
        const [a, b] = this.place(i);
        const [across, down] = this.seen([a, b, 0]);
        this.shadows[i].setAttribute('cx', across.toFixed(1));
        this.shadows[i].setAttribute('cy', down.toFixed(1));
      }
      byId('s-spots').replaceChildren(...order.map((i) => this.spots[i]));
      this.mark();
    }

    draw() {
      this.drawSides();
      this.drawWords();
      this.drawSpots();
    }

    later() {
      if (this.isWaiting) return;
      this.isWaiting = true;
      window.requestAnimationFrame(() => { this.isWaiting = false; this.draw(); });
    }

    /* The point that is read stands on a stem. */
    mark() {
      const [a, b, c] = this.place(this.at);
      byId('s-stem').setAttribute('d', this.path([[a, b, 0], [a, b, c]]));
      this.spots.forEach((spot, i) => spot.classList.toggle('read', i === this.at));
    }

    show(at) {
      const { titles, cells, spoken } = this.data;
      this.at = (at + titles.length) % titles.length;
      const table = document.querySelector('#s-read table');
      table.caption.firstElementChild.textContent = titles[this.at];
      cells[this.at].forEach((row, i) => row.forEach((text, k) => { table.tBodies[0].rows[i].cells[k + 1].textContent = unbroken(text); }));
      this.mark();
      window.clearTimeout(this.speaking);
      if (this.said === undefined) this.said = this.at;
      if (this.said === this.at) return;
      this.speaking = window.setTimeout(() => { this.said = this.at; byId('s-spoken').textContent = spoken[this.said]; }, 400);
    }

    choose(axis, own) {
      const other = this.axes.indexOf(own);
      if (other >= 0) this.axes[other] = this.axes[axis];
      this.axes[axis] = own;
      all('#s-axes select').forEach((select, k) => { select.value = String(this.axes[k]); });
      this.draw();
    }

    /* At once where motion is unwelcome, else within a fifth of a second. */
    turnTo(turn, lift) {
      const [from, to] = [[...this.view], [turn, Math.min(Math.max(lift, -90), 90)]];
      window.cancelAnimationFrame(this.turning);
      this.aim = to;
      const began = performance.now();
      const step = (now) => {
        const share = this.heldStill.matches ? 1 : Math.min(Math.max((now - began) / 200, 0), 1);
        this.view = to.map((end, k) => from[k] + share * (end - from[k]));
        this.draw();
        if (share < 1) this.turning = window.requestAnimationFrame(step);
      };
      step(began);
    }

    press(name) {
      const [turn, lift] = this.aim ?? this.view;
      if (name === 'home') this.turnTo(...this.data.view);
      else this.turnTo(turn + [10, -10, 0, 0][name], lift + [0, 0, 10, -10][name]);
    }

    pressed(event) {
      const turn = { ArrowLeft: '0', ArrowRight: '1', ArrowUp: '2', ArrowDown: '3', Home: 'home' }[event.key];
      const step = { PageUp: -1, PageDown: 1 }[event.key];
      if ((turn === undefined && step === undefined) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      if (step === undefined) this.press(turn);
      else this.show(this.at + step);
    }

    grasp(event) {
      if (event.button !== 0) return;
      window.cancelAnimationFrame(this.turning);
      this.drag = { x: event.clientX, y: event.clientY, view: [...this.view] };
      this.read(event);
      this.box.setPointerCapture(event.pointerId);
    }

    moved(event) {
      if (this.drag === null) { this.read(event); return; }
      const { x, y, view } = this.drag;
      this.view = [view[0] - (event.clientX - x) / 2, Math.min(Math.max(view[1] + (event.clientY - y) / 2, -90), 90)];
      this.aim = undefined;
      this.later();
    }

    release() { this.drag = null; }

    /* The nearest point under the pointer, the nearer one to the eye of two. */
    read(event) {
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.box.getScreenCTM().inverse());
      const far = this.places.map(([a, b, depth]) => Math.hypot(a - x, b - y) - depth);
      const nearest = far.indexOf(Math.min(...far));
      if (far[nearest] < 11 && nearest !== this.at) this.show(nearest);
    }
  }

  /* Tables that sort by a click on a heading, and long ones that show all of their rows when asked. */
  const collator = new Intl.Collator(undefined, { numeric: true });

  function numberIn(text) {
    const found = text.replace(/[\u202f\u00a0\s]/g, '').replace(/\u2212/g, '-').match(/-?\d+(\.\d+)?(e-?\d+)?|\u221e/i);
    return found === null ? NaN : found[0] === '\u221e' ? Infinity : Number(found[0]);
  }

  class Rows {
    constructor(table, every) {
      this.body = table.tBodies[0];
      this.table = table;
      const there = [...this.body.rows];
      const which = table.dataset.rows?.split(' ').map(Number) ?? there.keys();
      this.rows = [];
      for (const [k, i] of [...which].entries()) this.rows[i] = there[k];
      this.most = there.length;
      this.pattern = there[0];
      this.every = every;
      this.heads = all('thead tr:last-child th', table);
      for (const button of all('thead button', table)) button.addEventListener('click', () => this.sort(button));
      const more = document.querySelector(`[data-all="${table.id}"]`);
      if (more === null || every === null) return;
      setHidden(more, false);
      more.addEventListener('click', () => {
        this.most = this.length;
        this.show();
        more.remove();
        setHidden(document.querySelector(`[data-more="${table.id}"]`), true);
      });
    }

    get length() { return this.every === null ? this.rows.length : this.every.length; }

    /* What has no number comes last in either direction, and ties stay as they were. */
    sort(button) {
      const head = button.closest('th');
      const sign = head.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
      for (const own of this.heads) if (own.hasAttribute('aria-sort')) own.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', sign > 0 ? 'ascending' : 'descending');
      const isNumber = button.dataset.sort === 'number';
      const keys = Array.from({ length: this.length }, (_, i) => {
        const text = this.text(i, head.cellIndex);
        return isNumber ? numberIn(text) : text;
      });
      const isMissing = (key) => (isNumber ? Number.isNaN(key) : key === '');
      this.order = keys.map((_, i) => i).sort((i, j) => {
        const [a, b] = [keys[i], keys[j]];
        if (isMissing(a) || isMissing(b)) return isMissing(a) - isMissing(b) || i - j;
        if (a === b) return i - j;
        return sign * (isNumber ? (a < b ? -1 : 1) : collator.compare(a, b)) || i - j;
      });
      this.show();
    }

    text(i, column) { return this.every === null ? this.rows[i].cells[column].textContent.trim() : this.every[i][column]; }

    show() {
      const order = this.order ?? Array.from({ length: this.length }, (_, i) => i);
      for (const row of all('.gap', this.body)) row.classList.remove('gap');
      this.body.replaceChildren(...order.slice(0, this.most).map((i) => this.row(i)));
    }

    row(i) {
      if (this.rows[i] === undefined) {
        this.rows[i] = this.pattern.cloneNode(true);
        this.rows[i].className = '';
        this.every[i].forEach((text, k) => {
          const cell = this.rows[i].cells[k];
          (cell.querySelector('bdi') ?? cell).textContent = unbroken(text);
        });
      }
      return this.rows[i];
    }
  }

  /* A cell of a CSV file. A spreadsheet must not take a name for a formula; numbers are never names. */
  function csvCell(value) {
    if (value === null) return '';
    if (typeof value === 'number') return String(value);
    const plain = value.replace(/[\u00a0\u202f]/g, ' ').trim();
    const number = plain.replace(/\u2212/g, '-').replace(/(\d) (?=\d{3})/g, '$1');
    if (/^-?(\d+(\.\d+)?|\.\d+)(e-?\d+)?$/i.test(number)) return number;
    const safe = /^[=+\-@\t\r\n]/.test(plain) ? `'${plain}` : plain;
    return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  }

  const csv = (lines) => `${lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`;

  function linesOf(own) {
    const titles = own.heads.map((head) => head.textContent.trim());
    return [titles, ...Array.from({ length: own.length }, (_, i) => titles.map((_title, k) => own.text(i, k)))];
  }

  const NUMBERS = ['fpr', 'tpr', 'fpr_low', 'fpr_high', 'tpr_low', 'tpr_high', 'threshold_low', 'threshold_high'];

  function curves({ models, uses }) {
    const lines = [['model', 'average', 'at', ...NUMBERS]];
    for (const use of uses) {
      use.readings.forEach((own, k) => own.labels.forEach((label, at) => {
        lines.push([models[k], use.key, label, ...own.numbers.map((column) => column[at])]);
      }));
    }
    return lines;
  }

  function download(text, name) {
    const link = document.createElement('a');
    // The mark tells spreadsheets that names are UTF-8.
    link.href = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  function say(button, words) {
    const status = button.parentElement.querySelector('[role=status]');
    if (status !== null) status.textContent = words;
  }

  /* Where a page from disk may not use the clipboard, the text is selected instead. */
  async function copy(button) {
    const element = byId(button.dataset.copy);
    const [buttons, closed] = [all('.buttons', element), all('details:not([open])', element)];
    for (const own of closed) own.open = true;
    try {
      for (const own of buttons) setHidden(own, true);
      const text = element.innerText.trim();
      for (const own of buttons) setHidden(own, false);
      await navigator.clipboard.writeText(text);
      for (const own of closed) own.open = false;
      say(button, 'Copied.');
    } catch {
      const range = document.createRange();
      range.selectNodeContents(element);
      window.getSelection().removeAllRanges();
      window.getSelection().addRange(range);
      say(button, 'Selected: copy it with Ctrl+C.');
    }
  }

  function offer(selector, act) {
    for (const button of all(selector)) {
      setHidden(button, false);
      button.addEventListener('click', () => act(button));
    }
  }

  async function start() {
    // A browser too old to unpack the data shows what Python drew; it can still sort, copy and print.
    const data = typeof DecompressionStream === 'function' ? await lookedUp() : { tables: {} };
    if (data.reading) new Reading(data.reading);
    if (data.surface) new Surface(data.surface);
    const tables = new Map(all('table[id]').map((table) => [table.id, new Rows(table, data.tables[table.id] ?? null)]));
    offer('[data-copy]', copy);
    offer('[data-print]', () => window.print());
    offer('[data-save]', (button) => {
      const own = tables.get(button.dataset.save);
      const name = `${own.table.dataset.name}.csv`;
      download(csv(linesOf(own)), name);
      say(button, `Saved as ${name}.`);
    });
    if (data.reading) {
      offer('[data-curves]', (button) => {
        download(csv(curves(data.reading)), 'curves.csv');
        say(button, 'Saved as curves.csv.');
      });
    }
    document.documentElement.dataset.ready = '';
  }

  start();
})();
