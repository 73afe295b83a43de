// What is wrong with the looks of a page in the browser's window, as a list; all that is folded is unfolded.
(() => {
  const faults = [];
  const all = selector => [...document.querySelectorAll(selector)];
  const range = document.createRange();
  const place = (text, start, end) => {
    range.setStart(text, start);
    range.setEnd(text, end);
    return range.getBoundingClientRect();
  };
  all("details").forEach(box => { box.open = true; });
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the window");

  // but for commands and versions, which are no running text
  for (const text of all("p, li, dd, figcaption, summary").filter(each => !each.closest("#provenance"))) {
    const lines = {};  // letters by the line's place; a place is rounded, since small print stands a little higher
    const parts = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (parts.nextNode()) {
      for (const word of parts.currentNode.data.matchAll(/\S+\s*/g)) {
        const line = Math.round(place(parts.currentNode, word.index, word.index + 1).bottom / 10);
        lines[line] = (lines[line] ?? 0) + word[0].length;
      }
    }
    const longest = Math.max(0, ...Object.values(lines));
    if (longest > 80) faults.push(`a line of ${longest} letters: ${text.textContent.trim().slice(0, 60)}`);
  }

  for (const head of all("th[data-number]")) {
    const number = head.closest("table").tBodies[0].rows[0].cells[head.dataset.column].firstChild;
    const end = place(number, 0, number.data.trimEnd().length).right;
    const shift = head.firstElementChild.getBoundingClientRect().right - end;
    if (Math.abs(shift) > 3) faults.push(`the head ${head.textContent} ends ${shift} pixels after its numbers`);
  }

  for (const image of all("figure img")) {
    const drawing = decodeURIComponent(image.src);
    const scale = image.getBoundingClientRect().width / drawing.match(/viewBox="0 0 ([\d.]+)/)[1];
    const sizes = [...drawing.matchAll(/font-size: ([\d.]+)px/g)].map(size => size[1] * scale);
    if (!(Math.min(...sizes) >= 10)) faults.push(`letters of ${Math.min(...sizes)} pixels: ${image.alt}`);
  }

  for (const cell of all(".verdicts td")) {
    const { left, right } = cell.getBoundingClientRect();
    if (left < 0 || right > innerWidth) faults.push(`not visible: ${cell.textContent}`);
  }

  for (const inner of all("details:not(.part) details")) {
    const outer = inner.parentElement.closest("details");
    if (inner.getBoundingClientRect().left <= outer.getBoundingClientRect().left) faults.push("details without an indent");
  }
  return faults;
})();
