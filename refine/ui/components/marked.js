// Texts with their changes marked: read only, every word a text node.
const TAGS = { same: "span", old: "del", new: "ins" };

export default function ({ data, parentElement }) {
  const part = (name) => parentElement.querySelector(name);
  const root = part(".marked"), button = part("button");
  const drawn = JSON.stringify(data);
  if (root.drawn === drawn) return;
  root.drawn = drawn;
  root.lang = data.language;
  part(".count").textContent = data.count;
  part(".panes").replaceChildren(...data.panes.map(paneOf));
  button.hidden = !data.copy;
  button.textContent = data.words.copy;
  button.onclick = async () => {
    await navigator.clipboard.writeText(data.copy);
    button.textContent = data.words.copied;
    setTimeout(() => (button.textContent = data.words.copy), 2000);
  };
}

function paneOf(pieces) {
  const pane = Object.assign(document.createElement("div"), { className: "pane" });
  for (const [kind, text] of pieces) {
    pane.appendChild(document.createElement(TAGS[kind] ?? "span")).textContent = text;
  }
  return pane;
}
