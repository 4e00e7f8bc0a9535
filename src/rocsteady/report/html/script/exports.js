/* What can be taken away: the methods as text, the curves as a file, the page on paper. */

/* A cell of a CSV file. A spreadsheet must not take a name for a formula; numbers are never names. */
function csvCell(value) {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

const NUMBERS = ['position', 'fpr', 'fpr_low', 'fpr_high', 'tpr', 'tpr_low', 'tpr_high', 'threshold_low',
  'threshold_high'];

function curvesAsCsv(light, words) {
  const lines = [['model', 'average', 'held', ...NUMBERS]];
  for (const mode of words.modes) {
    mode.readings.forEach((reading, model) => {
      reading.labels.forEach((_, k) => {
        lines.push([light.models[model], mode.key, mode.slider, ...NUMBERS.map((name) => reading.numbers[name][k])]);
      });
    });
  }
  return lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n') + '\r\n';
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
  const status = button.parentElement.querySelector('[data-status]') ?? document.querySelector('[data-status]');
  if (status !== null) status.textContent = words;
}

/* Where a page from disk may not use the clipboard, the text is selected instead. */
async function copyText(button) {
  const element = byId(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(element.innerText.trim());
    say(button, 'Copied.');
  } catch {
    const range = document.createRange();
    range.selectNodeContents(element);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    say(button, 'Selected: copy it with Ctrl+C.');
  }
}

function startExports(light, words) {
  const offer = (selector, act) => {
    for (const button of all(selector)) {
      button.hidden = false;
      button.addEventListener('click', () => act(button));
    }
  };
  offer('[data-copy]', copyText);
  offer('[data-print]', () => window.print());
  if (words === null) return;
  offer('[data-csv="curves"]', (button) => {
    download(curvesAsCsv(light, words), 'curves.csv');
    say(button, 'Saved as curves.csv.');
  });
}
