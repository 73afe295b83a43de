"use strict";

// Tables sort by the column whose button is pressed; a cell's key is its data-key, or else its text.
for (const table of document.querySelectorAll("table.sortable")) {
  const all = [...table.tHead.querySelectorAll("th[data-column]")];
  for (const head of all) {
    head.querySelector("button").addEventListener("click", () => {
      const column = Number(head.dataset.column);
      const descending = head.getAttribute("aria-sort") === "ascending" ||
        (!head.hasAttribute("aria-sort") && head.hasAttribute("data-number"));
      const key = row => row.cells[column].dataset.key ?? row.cells[column].textContent;
      const rows = [...table.tBodies[0].rows].map(row => [key(row), row]);
      const missing = text => head.hasAttribute("data-number") && (text === "" || text === "nan");  // comes last in both orders
      rows.sort(([a], [b]) => {
        if (missing(a) || missing(b)) return missing(a) - missing(b);
        const order = head.hasAttribute("data-number") ? a - b : a.localeCompare(b, "en", { numeric: true });
        return descending ? -order : order;
      });
      for (const other of all) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      table.tBodies[0].append(...rows.map(([, row]) => row));
    });
  }
}

// A link to a section, or to something in it, unfolds it.
const unfold = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let box = target.querySelector(":scope > details.part") ?? target; box; box = box.parentElement)
    if (box.tagName === "DETAILS") box.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", unfold);
unfold();

// The edge of a table shows where it continues.
for (const box of document.querySelectorAll(".scroller > .wide")) {
  const mark = () => {
    box.parentElement.classList.toggle("more-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
    box.parentElement.classList.toggle("more-below", box.scrollTop + box.clientHeight < box.scrollHeight - 2);
  };
  box.addEventListener("scroll", mark, { passive: true });
  new ResizeObserver(mark).observe(box);
}
