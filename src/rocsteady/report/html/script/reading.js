/* "Reading the curve": one state, drawn at most once per frame. */

class Reading {
  constructor(light, words, numbers, choose) {
    this.light = light;
    this.choose = choose;
    this.speaking = 0;
    this.words = words;
    this.figures = new Figures(light, words, numbers);
    this.slider = byId('r-slider');
    this.isWaiting = false;
    this.mode = null;
    this.model = 0;
    this.at = 0;
    this.opened = { live: byId('r-lead').textContent, still: byId('r-paper').textContent };
    this.slider.addEventListener('input', () => this.slid());
    byId('r-zoom').addEventListener('click', () => this.zoomed());
    byId('r-return').hidden = false;
    byId('r-return').addEventListener('click', () => this.goBack());
    byId('r-strayed-back').addEventListener('click', () => this.goBack());
    for (const button of all('#r-models button')) {
      button.addEventListener('click', () => this.chooseModel(Number(button.dataset.model)));
    }
    byId('r-model')?.addEventListener('change', (event) => this.chooseModel(Number(event.target.value)));
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.figures.paint());
    new ResizeObserver(() => {
      this.figures.paint();
      this.reserve();
    }).observe(this.figures.canvas);
  }

  get reading() {
    return this.mode.readings[this.model];
  }

  get isAsOpened() {
    return this.model === 0 && this.at === this.reading.start;
  }

  chooseMode(mode) {
    this.mode = mode;
    this.at = mode === null ? 0 : this.reading.start;
    this.show();
  }

  chooseModel(model) {
    if (this.mode !== null) this.at = this.likewise(this.reading, this.mode.readings[model]);
    this.model = model;
    for (const button of all('#r-models button')) {
      button.setAttribute('aria-pressed', String(Number(button.dataset.model) === model));
    }
    if (byId('r-model')) byId('r-model').value = String(model);
    this.show();
  }

  /* The setting of another model that is like the present one: the declared one, or that of a near FPR. */
  likewise(from, to) {
    if (this.at === from.start) return to.start;
    if (from.labels.length === to.labels.length && from.labels[this.at] === to.labels[this.at]) return this.at;
    const [fpr, tpr] = [from.numbers.fpr[this.at], from.numbers.tpr[this.at]];
    const gaps = to.numbers.fpr.map((own, k) => Math.abs(own - fpr) + Math.abs(to.numbers.tpr[k] - tpr));
    return gaps.indexOf(Math.min(...gaps));
  }

  /* To what the page opened with: the use, the model and the setting. */
  goBack() {
    this.chooseModel(0);
    this.choose(this.light.first);
    const next = this.mode === null ? byId('r-zoom') : this.slider;
    next.focus();
  }

  /* Whether this is what the page opened with, and where on the slider that is. */
  showWayBack() {
    const isFirst = this.mode !== null && this.mode.key === this.light.first;
    byId('r-declared').hidden = !isFirst;
    byId('r-return').classList.toggle('r-idle', !isFirst || this.isAsOpened);
    if (!isFirst) return;
    const { reading } = this;
    const tick = byId('r-tick');
    const share = this.turned(reading.start) / Math.max(reading.labels.length - 1, 1);
    tick.style.left = `${100 * share}%`;
    tick.classList.toggle('r-leftward', share > 0.7);
  }

  zoomed() {
    const button = byId('r-zoom');
    const isZoomed = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(isZoomed));
    this.figures.zoom(isZoomed);
    this.later();
  }

  /* To the right is more of what is held, in whichever order the settings stand. */
  turned(at) {
    return this.reading.turned ? this.reading.labels.length - 1 - at : at;
  }

  slid() {
    this.at = this.turned(Number(this.slider.value));
    this.later();
  }

  later() {
    if (this.isWaiting || this.mode === null) return;
    this.isWaiting = true;
    window.requestAnimationFrame(() => {
      this.isWaiting = false;
      if (this.mode !== null) this.step();
    });
  }

  show() {
    const { mode, model } = this;
    byId('r-controls').hidden = false;
    byId('r-slider').hidden = mode === null;
    if (mode === null) this.showWayBack();
    byId('r-sentence').hidden = mode === null;
    byId('r-lead').textContent = mode === null ? this.opened.live : LEAD;
    byId('r-paper').textContent = mode === null ? this.opened.still : STILL;
    byId('r-held').textContent = mode === null ? 'All averages' : mode.slider;
    if (mode === null) byId('r-value').textContent = 'none is recommended';
    byId('r-figures').classList.toggle('r-all', mode === null);
    for (const element of all('[data-name] bdi')) writeName(element, this.light.models[model]);
    this.figures.show(mode, model);
    if (mode === null) {
      this.showAllTwin();
      return;
    }
    this.slider.max = String(this.reading.labels.length - 1);
    this.showTwin();
    this.reserve();
    this.step();
  }

  /* Room for the longest sentence, so that the figures below stay where they are while the slider moves. */
  reserve() {
    if (this.mode === null) return;
    const sentence = byId('r-sentence');
    const length = (pieces) => pieces.reduce((sum, piece) => sum + piece.length, 0);
    const longest = this.reading.sentences.reduce((a, b) => (length(b) > length(a) ? b : a));
    const trial = document.createElement('p');
    trial.className = 'r-trial';
    writePhrase(trial, longest);
    sentence.after(trial);
    sentence.style.minHeight = `${trial.offsetHeight}px`;
    trial.remove();
  }

  step() {
    const { mode, model, at, reading } = this;
    const label = reading.labels[at];
    this.slider.value = String(this.turned(at));
    this.slider.setAttribute('aria-valuetext', label);
    byId('r-value').textContent = label;
    writePhrase(byId('r-sentence'), reading.sentences[at]);
    this.figures.move(mode, model, at);
    this.showWayBack();
    this.speakLater();
  }

  /* Read out when the slider rests, not at every step; what the page opens with is read where it stands. */
  speakLater() {
    const text = byId('r-sentence').textContent;
    window.clearTimeout(this.speaking);
    if (this.said === undefined) this.said = text;
    if (this.said === text) return;
    this.speaking = window.setTimeout(() => {
      this.said = text;
      byId('r-spoken').textContent = text;
    }, 400);
  }

  /* The table beside the figure follows it. */
  showTwin() {
    byId('r-twin-caption').textContent = this.reading.caption;
    const table = document.querySelector('table.r-twin');
    table.parentElement.setAttribute('aria-label', this.reading.caption);
    table.querySelector('thead th').textContent = this.mode.slider;
    table.classList.toggle('r-same', this.mode.question === 'shared');
    this.writeRows(table, this.reading.rows);
  }

  /* And that of all averages, where there is one, the model. */
  showAllTwin() {
    const table = document.querySelector('table.r-twin-all');
    if (table !== null) this.writeRows(table, this.words.models[this.model].rows);
    for (const word of all('#r-twin-all-caption bdi')) writeName(word, this.light.models[this.model]);
    table?.parentElement.setAttribute('aria-label', byId('r-twin-all-caption').textContent);
  }

  writeRows(table, rows) {
    const pattern = table.tBodies[0].rows[0];
    table.tBodies[0].replaceChildren(
      ...rows.map((cells) => {
        const row = pattern.cloneNode(true);
        cells.forEach((cell, k) => { row.cells[k].textContent = cell; });
        return row;
      }),
    );
  }
}

const LEAD = 'Drag the quantity that is held fixed. The figures of this section move with it, no others.';
const STILL = 'The curve, read at one setting; the sentence says which.';
