// The table of the matrix: filled from the packed cells, sorted by a column, filtered by a name.
const matrix = JSON.parse(document.getElementById("cells").textContent);
const chosen = name => document.getElementById(name).value;
const table = document.getElementById("matrix");
const sorted = { column: -1, descending: true };  // -1: the order of the metrics

function shownColumns() {
  const [judgements, benchmark] = [chosen("judgements"), chosen("benchmark")];
  const shown = { all: () => true, first: column => column[2], consistency: column => column[4] === "consistency" }[judgements];
  return matrix.columns.map((column, place) => [column, place])
    .filter(([column]) => shown(column) && (!benchmark || column[0] === benchmark));
}

function fill(select, names) {
  for (const name of new Set(names)) document.getElementById(select).append(new Option(name, name));
}
fill("benchmark", matrix.columns.map(column => column[0]));
fill("kind", matrix.metrics.map(metric => metric[2]).filter(Boolean));

function written(number) {
  return number.toFixed(2).replace("-", "−").replace(/^−0\.00$/, "0.00");
}

function headCell(text, place) {
  const cell = document.createElement("th");
  cell.scope = "col";
  if (place < 0) cell.className = "text";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", () => {
    sorted.descending = sorted.column === place ? !sorted.descending : place >= 0;
    sorted.column = place;
    draw();
  });
  if (sorted.column === place && (place >= 0 || sorted.descending === false)) {
    cell.setAttribute("aria-sort", sorted.descending ? "descending" : "ascending");
  }
  cell.append(button);
  return cell;
}

function draw() {
  const cells = matrix.cells[chosen("level")][chosen("coefficient")];
  const columns = shownColumns();
  const wanted = chosen("filter").trim().toLowerCase();
  const rows = matrix.metrics.map((metric, place) => [metric, cells[place]])
    .filter(([[name, , kind]]) => name.toLowerCase().includes(wanted) && (!chosen("kind") || kind === chosen("kind")));
  if (sorted.column >= 0) {
    rows.sort(([, a], [, b]) => {
      const [x, y] = [a[sorted.column], b[sorted.column]];
      if (!Array.isArray(x) || !Array.isArray(y)) return Array.isArray(y) - Array.isArray(x);  // undefined ones stand last
      return sorted.descending ? y[0] - x[0] : x[0] - y[0];
    });
  } else if (!sorted.descending) {
    rows.sort(([[a]], [[b]]) => a.localeCompare(b, "en", { numeric: true }));
  }
  const head = document.createElement("tr");
  const copies = document.createElement("th");
  copies.scope = "col";
  copies.textContent = "TSV";
  head.append(headCell("metric", -1), ...columns.map(([[benchmark, judgement, , few], place]) =>
    headCell(`${benchmark}: ${judgement}${few ? " (too few to tell)" : ""}`, place)), copies);
  table.tHead.replaceChildren(head);
  table.tBodies[0].replaceChildren(...rows.map(([[name, kind], values]) => {
    const row = document.createElement("tr");
    const first = document.createElement("th");
    first.scope = "row";
    first.textContent = kind === "metric" || kind === "given" ? name : `${name} (${kind})`;
    if (name.startsWith("SERA")) row.className = "ours";
    const copy = document.createElement("button");
    copy.type = "button";
    copy.textContent = "copy";
    copy.title = "Copy this row as TSV";
    copy.addEventListener("click", () => navigator.clipboard.writeText(
      [name, ...columns.map(([, place]) => Array.isArray(values[place]) ? values[place][0] : "")].join("\t")));
    row.append(first, ...columns.map(([, place]) => {
      const cell = document.createElement("td");
      const of = values[place];
      if (!Array.isArray(of)) {
        cell.textContent = "–";
        cell.title = of === null ? "no such score" : matrix.reasons[of];
        return cell;
      }
      const [value, low, high, rank, cluster] = of;
      const number = document.createElement(cluster === 1 ? "b" : "span");
      number.textContent = written(value);
      const more = document.createElement("small");
      const parts = [];
      if (low !== null) parts.push(`${written(low)} to ${written(high)}`);
      if (rank !== null) parts.push(`rank ${rank}`);
      more.textContent = parts.join("; ");
      cell.append(number, more);
      return cell;
    }));
    const last = document.createElement("td");
    last.append(copy);
    row.append(last);
    return row;
  }));
  const none = cells.every(values => values.every(value => value === null));
  document.getElementById("count").textContent = none ? "This level has no such numbers: choose another level." :
    `${rows.length} of ${matrix.metrics.length} rows, ${columns.length} of ${matrix.columns.length} columns`;
}

for (const name of ["level", "coefficient", "judgements", "benchmark", "kind"]) document.getElementById(name).addEventListener("change", draw);
document.getElementById("filter").addEventListener("input", draw);
draw();
