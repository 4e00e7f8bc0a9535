/* The page is complete without this; with it, it answers. */

function startReading(light, words, numbers) {
  const modeOf = (key) => words.modes.find((mode) => mode.key === key) ?? null;
  const choose = (key, options) => {
    questions.show(modeOf(key), options);
    reading.chooseMode(modeOf(key));
  };
  const reading = new Reading(light, words, numbers, choose);
  const questions = new Questions(light, words, choose);
  document.documentElement.classList.add('r-scripted');
  byId('r-buttons').hidden = false;
  questions.show(modeOf(light.first));
  reading.chooseMode(modeOf(light.first));
}

async function start() {
  const light = lightData();
  // A browser too old to unpack the rest shows what Python drew; it can still sort, copy and print.
  const canUnpack = light !== null && typeof DecompressionStream === 'function';
  const { words, numbers } = canUnpack ? await packedData() : { words: null, numbers: null };
  if (words !== null) startReading(light, words, numbers);
  startTables(words);
  startExports(light, words);
  document.documentElement.dataset.ready = '';
}

start();
