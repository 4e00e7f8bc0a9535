/* "How will the scores be used?": two answers lead to an average. */

class Questions {
  constructor(light, words, choose) {
    this.light = light;
    this.words = words;
    this.choose = choose;
    this.second = all('fieldset[data-question]');
    this.opened = { name: byId('r-name').textContent, why: byId('r-meaning').textContent };
    for (const radio of all('#deploy input[type=radio]')) {
      radio.addEventListener('change', () => this.answered(radio));
    }
    byId('r-back').addEventListener('click', () => {
      choose(light.first);
      byId('r-first').querySelector('input:checked, input:not(:disabled)').focus();
    });
  }

  /* The first answer leads on to the first use that goes with it; the second names a use. */
  answered(radio) {
    if (radio.name !== 'r-question') {
      this.choose(radio.value);
      return;
    }
    const declared = this.words.modes.find((mode) => mode.key === this.light.declared);
    const fitting = this.words.modes.filter((mode) => mode.question === radio.value);
    if (this.light.declared === null) {
      // Nothing was declared, so nothing is chosen for the reader either.
      this.showSecond(radio.value);
      this.choose(null, { keeps: true });
      return;
    }
    this.choose((fitting.includes(declared) ? declared : fitting[0]).key);
  }

  /* Both second questions as long as the first has no answer. */
  showSecond(question) {
    for (const fieldset of this.second) {
      fieldset.hidden = question !== null && fieldset.dataset.question !== question;
    }
  }

  /* What is written there when an average is chosen, by whichever way. */
  show(mode, { keeps = false } = {}) {
    const isAsOpened = (mode === null ? null : mode.key) === this.light.first;
    if (mode !== null) this.showSecond(mode.question);
    else if (!keeps) this.showSecond(null);
    for (const radio of all('#deploy input[type=radio]')) {
      if (radio.name === 'r-question' && keeps) continue;
      radio.checked = mode !== null && (radio.value === mode.question || radio.value === mode.key);
    }
    byId('r-name').textContent = mode === null ? this.opened.name : mode.name;
    byId('r-meaning').textContent = mode === null ? this.opened.why : mode.why;
    byId('r-exploring').hidden = isAsOpened || (this.light.declared === null && !this.light.isGrouped);
    byId('r-strayed').hidden = byId('r-exploring').hidden;
  }
}
