// One summary beside its references. Each topic is packed JSON; the address says which summary is open.
const packed = JSON.parse(document.getElementById("topics").textContent);
const place = id => document.getElementById(id);
const own = (of, name) => Object.hasOwn(of, name) ? of[name] : undefined;  // a name may be one that every object has

function make(tag, content = [], set = {}) {
  const element = Object.assign(document.createElement(tag), set);
  element.append(...(Array.isArray(content) ? content : [content]));
  return element;
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function text(sentences) {
  return sentences.map(sentence => make("p", sentence));
}

function units(topic, name, found) {
  const of = own(topic.units, name) ?? topic.units[""];
  if (!of || !found) return [];
  const has = new Set(found);
  const order = of.map((unit, number) => [unit, has.has(number)]);
  order.sort((a, b) => b[1] - a[1] || b[0][0] - a[0][0]);
  const lines = order.map(([[tier, wordings], hit]) => make("li",
    `${hit ? "✓" : "·"} [${tier}] ${wordings.join(" / ")}`, { className: hit ? "hit" : "miss" }));
  return [make("div", [
    make("h3", `Nuggets: ${has.size} of ${of.length} content units found`),
    make("p", "✓ found in the summary; [n] is the number of gold summaries that have it.", { className: "faint" }),
    make("ul", lines, { className: "units", tabIndex: 0 }),
  ])];
}

function ranking(topic, name, formulation, annotators) {
  const rankings = topic.rankings[formulation];
  const human = new Map(annotators.map(annotator =>
    [annotator, new Map((own(rankings, `human_${annotator}`) ?? []).map((number, rank) => [number, rank + 1]))]));
  const found = own(rankings, name) ?? [];
  const head = make("tr", ["rank", "document", ...annotators].map((title, column) =>
    make("th", title, { className: column === 1 ? "text" : "" })));
  const rows = found.map((number, rank) => {
    const [id, title] = topic.documents[number];
    const ranks = annotators.map(annotator => make("td", String(human.get(annotator).get(number) ?? "–")));
    const hit = annotators.some(annotator => human.get(annotator).has(number));
    return make("tr", [make("td", String(rank + 1)),
      make("td", title ? `${id}: ${title}` : id, { className: `text ${hit ? "hit" : ""}` }), ...ranks]);
  });
  const others = annotators.map(annotator => {
    const missed = [...human.get(annotator).keys()].filter(number => !found.includes(number));
    const names = missed.map(number => topic.documents[number].filter(Boolean).join(": "));
    return make("li", `${annotator}: ${names.join("; ") || "none"}`);
  });
  const table = make("table", [make("thead", head), make("tbody", rows)]);
  return make("details", [make("summary", `Query: ${formulation}`), make("div", table, { className: "wide", tabIndex: 0, role: "group", ariaLabel: `Documents of ${formulation}` }),
    make("p", "Retrieved by a reference alone:", { className: "faint" }), make("ul", others)]);
}

async function open() {
  const name = place("system").value, topic = await unpack(packed[place("topic").value].content);
  if (name !== place("system").value) return;  // another one was chosen meanwhile
  const summary = topic.summaries[name];
  const annotators = Object.keys(topic.references).filter(annotator => `human_${annotator}` !== name);
  const { all, shown } = JSON.parse(place("metrics").textContent);
  const scores = all.map((metric, number) => [metric, summary.scores[number]?.toFixed(3) ?? "undefined"]);
  const line = ([metric, score]) => make("tr", [make("th", metric), make("td", score)]);
  const first = scores.filter(([metric]) => shown.includes(metric));
  const formulations = Object.keys(topic.rankings).map(each => ranking(topic, name, each, annotators));
  if (formulations.length) formulations[0].open = true;
  place("summary").replaceChildren(
    make("div", [make("h3", `Summary by ${name}`), ...text(summary.sentences)]),
    make("div", [make("h3", "References"), ...annotators.map((annotator, number) =>
      make("details", [make("summary", annotator), ...text(topic.references[annotator])], { open: !number }))]),
    make("div", [make("h3", "Scores"), make("table", make("tbody", first.map(line))),
      make("details", [make("summary", `All ${scores.length}`), make("table", make("tbody", scores.map(line)))])]),
    ...units(topic, name, summary.found),
    make("div", [make("h3", "Documents that the queries retrieved"),
      make("p", "The rank at which a reference retrieved the document, – where it did not.", { className: "faint" }),
      ...formulations], { className: "whole" }),
  );
  place("summary").dataset.shows = `${place("topic").value}/${name}`;
}

function fill(chosen) {
  const systems = packed[place("topic").value].systems;
  place("system").replaceChildren(...systems.map(name => make("option", name, { value: name })));
  if (systems.includes(chosen)) place("system").value = chosen;
}

function follow() {  // #summary=TOPIC/SYSTEM
  const named = location.hash.match(/^#summary=([^/]+)\/(.+)$/);
  if (!named) return false;
  let topic, system;
  try {
    [topic, system] = named.slice(1).map(decodeURIComponent);
  } catch {  // a % that begins no letter
    return false;
  }
  if (!own(packed, topic)) return false;
  place("topic").value = topic;
  fill(system);
  open().then(() => place("summaries").scrollIntoView());
  return true;
}

if (Object.keys(packed).length) {
  place("topic").append(...Object.keys(packed).map(name => make("option", name, { value: name })));
  fill();
  const chosen = () => {
    history.replaceState(null, "", `#summary=${encodeURIComponent(place("topic").value)}/${encodeURIComponent(place("system").value)}`);
    open();
  };
  place("topic").addEventListener("change", () => { fill(place("system").value); chosen(); });
  place("system").addEventListener("change", chosen);
  addEventListener("hashchange", follow);
  if (!follow()) open();
}
