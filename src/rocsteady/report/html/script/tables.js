/* Tables that sort by a click on a heading, and long ones that show all of their rows when asked. */

const collator = new Intl.Collator(undefined, { numeric: true });

/* The number that a cell shows: thin blanks and units aside; nothing for a dash or an empty cell. */
function numberIn(text) {
  const found = text.replace(/[\u202f\u00a0\s]/g, '').replace(/\u2212/g, '-').match(/-?\d+(\.\d+)?(e-?\d+)?/i);
  return found === null ? NaN : Number(found[0]);
}

/* Positions in the order of their keys; what has none comes last, in either direction; ties stay as they were. */
function sorted(keys, kind, isDescending) {
  const isMissing = (key) => (kind === 'number' ? Number.isNaN(key) : key === '');
  const sign = isDescending ? -1 : 1;
  return keys.map((_, i) => i).sort((i, j) => {
    const [a, b] = [keys[i], keys[j]];
    if (isMissing(a) || isMissing(b)) return isMissing(a) - isMissing(b) || i - j;
    const order = kind === 'number' ? a - b : collator.compare(a, b);
    return sign * order || i - j;
  });
}

const UNSORTED = '\u2195';

class SortableTable {
  constructor(table, rows) {
    this.table = table;
    this.body = table.tBodies[0];
    this.shown = [...this.body.rows];
    this.pattern = this.shown[0]?.cloneNode(true);
    // Rows of which only some are in the page: all of them, as text.
    this.all = rows;
    this.made = new Map();
    this.most = this.shown.length;
    this.order = null;
    for (const button of all('th button[data-sort]', table)) {
      const arrow = document.createElement('span');
      arrow.className = 'r-arrow';
      arrow.setAttribute('aria-hidden', 'true');
      arrow.textContent = UNSORTED;
      button.append(arrow);
      button.addEventListener('click', () => this.sort(button));
    }
  }

  get length() {
    return this.all === null ? this.shown.length : this.all.length;
  }

  key(i, column) {
    if (this.all !== null) {
      const cell = this.all[i][column + 1]; // the class of the row comes first
      return Array.isArray(cell) ? String(cell[0]) : cell;
    }
    const cell = this.shown[i].cells[column];
    return cell.dataset.value ?? cell.textContent.trim();
  }

  sort(button) {
    const heading = button.closest('th');
    const isDescending = heading.getAttribute('aria-sort') === 'ascending';
    for (const other of all('th[aria-sort]', this.table)) {
      other.setAttribute('aria-sort', 'none');
      const arrow = other.querySelector('.r-arrow');
      if (arrow) arrow.textContent = UNSORTED;
    }
    heading.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
    button.querySelector('.r-arrow').textContent = isDescending ? '\u25bc' : '\u25b2';
    const column = heading.cellIndex;
    const kind = button.dataset.sort;
    const keys = Array.from({ length: this.length }, (_, i) => {
      const key = this.key(i, column);
      return kind === 'number' ? numberIn(key) : key;
    });
    this.order = sorted(keys, kind, isDescending);
    this.show();
  }

  showAll() {
    this.most = this.length;
    this.show();
  }

  show() {
    const order = this.order ?? Array.from({ length: this.length }, (_, i) => i);
    this.body.replaceChildren(...order.slice(0, this.most).map((i) => this.row(i)));
  }

  row(i) {
    if (this.all === null) return this.shown[i];
    if (!this.made.has(i)) this.made.set(i, this.newRow(this.all[i]));
    return this.made.get(i);
  }

  newRow([look, ...cells]) {
    const row = this.pattern.cloneNode(true);
    row.className = look;
    let column = row.firstElementChild;
    for (const cell of cells) {
      if (Array.isArray(cell)) this.place(column, cell);
      else if (column.firstElementChild === null) column.textContent = cell;
      else writeName(column.querySelector('bdi') ?? column, cell);
      column = column.nextElementSibling;
    }
    return row;
  }

  /* Where the marks of a small picture stand. */
  place(element, numbers) {
    let next = 0;
    for (const mark of element.querySelectorAll('[data-x]')) {
      for (const name of mark.dataset.x.split(' ')) {
        mark.setAttribute(name, String(numbers[next]));
        next += 1;
      }
    }
  }
}

function startTables(words) {
  for (const table of all('table')) {
    if (table.querySelector('th button[data-sort]') === null) continue;
    const rows = table.hasAttribute('data-rest') && words !== null && words.rows.length ? words.rows : null;
    const own = new SortableTable(table, rows);
    const button = table.hasAttribute('data-rest') ? document.querySelector('[data-show-all]') : null;
    if (button === null || rows === null) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      own.showAll();
      button.hidden = true;
      for (const words of all('[data-shown]')) words.hidden = true;
    });
  }
}
