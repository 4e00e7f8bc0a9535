/* What Python computed. Nothing is computed here: numbers are unpacked, looked up and put in their places. */

const LONGEST_NAME = 40;
const byId = (name) => document.getElementById(name);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

function lightData() {
  const element = byId('island');
  return element === null ? null : JSON.parse(element.textContent);
}

async function packedData() {
  const text = atob(byId('island-packed').textContent);
  const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const words = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { words, numbers: bytes.subarray(4 + length) };
}

/* An array is stored as steps along its rows, all high bytes before all low ones. */
function unpacked(numbers, [start, rows, columns]) {
  const n = rows * columns;
  const values = new Uint16Array(n);
  for (let row = 0, i = 0; row < rows; row += 1) {
    for (let column = 0, value = 0; column < columns; column += 1, i += 1) {
      const step = (numbers[start + i] << 8) | numbers[start + n + i];
      value += step & 1 ? -((step + 1) >> 1) : step >> 1;
      values[i] = value;
    }
  }
  return values;
}

/* A name where there is little room; pointed at, it is told in full. */
function writeName(element, name) {
  const isLong = name.length > LONGEST_NAME;
  element.textContent = isLong ? `${name.slice(0, LONGEST_NAME - 1)}\u2026` : name;
  if (isLong) element.title = name;
  else element.removeAttribute('title');
}

/* A sentence whose every second piece is strong; names in it stay text. */
function writePhrase(element, pieces) {
  element.replaceChildren(
    ...pieces.map((piece, k) => {
      // A number stays with its unit, and a sign with its number, at the end of a line.
      const words = piece.replace(/(\d) (?=%|\d{3}(?!\d))|([\u2265\u2264<>\u00b1=]) (?=[\d\u2212])/g, '$1$2\u00a0');
      if (k % 2 === 0) return document.createTextNode(words);
      const strong = document.createElement('strong');
      strong.textContent = words;
      return strong;
    }),
  );
}
