"use strict";

// Tables sort by the column whose button is pressed; a cell's key is its data-key, or else its text or first number.
for (const table of document.querySelectorAll("table.sortable")) {
  const all = [...table.tHead.querySelectorAll("th[data-column]")];
  for (const head of all) {
    head.querySelector("button").addEventListener("click", () => {
      const isNumber = head.hasAttribute("data-number"), last = head.getAttribute("aria-sort");
      const descending = last === "ascending" || (!last && isNumber);
      const text = row => row.cells[head.dataset.column].dataset.key ?? row.cells[head.dataset.column].textContent;
      const value = row => parseFloat(text(row).replace("−", "-"));
      const [known, missing] = [false, true].map(none =>  // the missing come last in both orders
        [...table.tBodies[0].rows].filter(row => (isNumber && Number.isNaN(value(row))) === none));
      known.sort((a, b) => (descending ? -1 : 1) *
        (isNumber ? value(a) - value(b) : text(a).localeCompare(text(b), "en", { numeric: true })));
      for (const other of all) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      table.tBodies[0].append(...known, ...missing);
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

// What is wider or longer than its box says that it scrolls.
const mark = ({ target }) => {
  target.parentElement.classList.toggle("more-right", target.scrollWidth > target.clientWidth + 2);
  target.parentElement.classList.toggle("more-below", target.scrollHeight > target.clientHeight + 2);
};
const boxes = new ResizeObserver(seen => seen.forEach(mark));
for (const box of document.querySelectorAll(".scroller > .wide")) boxes.observe(box);
