// Findings as cards, five shown and the rest folded: every word a text node. Buttons narrow them, or say what to do.
const SHOWN = 5;

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".findings");
  root.send = setStateValue;
  const drawn = JSON.stringify({ ...data, chosen: null });
  if (root.drawn === drawn) return;
  Object.assign(root, { drawn, lang: data.language });
  root.chosen = Object.fromEntries(Object.entries(data.chosen).map(([name, cards]) => [name, new Set(cards)]));
  const state = { data, root, cards: data.cards.map((card, n) => cardOf(card, n, data.actions, root)), filter: null };
  filtersOf(state, parentElement.querySelector(".filters"));
  place(state, parentElement.querySelector(".cards"));
}

function place({ data, cards, filter }, box) {
  const all = cards.filter((_, n) => !filter || data.cards[n][filter[0]] === filter[1]);
  box.replaceChildren(...all.slice(0, SHOWN));
  if (all.length > SHOWN) {
    const fold = box.appendChild(document.createElement("details"));
    fold.appendChild(document.createElement("summary")).textContent = data.more.replace("{n}", all.length - SHOWN);
    fold.append(...all.slice(SHOWN));
  }
}

function filtersOf(state, row) {
  row.hidden = !state.data.filters.length;
  const buttons = state.data.filters.map((filter) => {
    const button = buttonOf(filter[2]);
    button.onclick = () => {
      state.filter = state.filter === filter ? null : filter;
      for (const [n, other] of buttons.entries()) press(other, state.data.filters[n] === state.filter);
      place(state, row.nextElementSibling);
    };
    return button;
  });
  row.replaceChildren(...buttons);
}

function cardOf(card, n, actions, root) {
  const { severity, severity_label, about, times, who, quote, remark, state, state_label, suggestion, passage } = card;
  const box = element("article", "card");
  const head = box.appendChild(element("p", "head"));
  head.append(element("span", "badge " + severity, severity_label), element("b", "", about));
  head.append(element("span", "times", times), element("span", "who", who));
  if (state_label) head.append(element("span", "badge " + state, state_label));
  if (quote) box.append(element("blockquote", "", quote));
  if (remark) box.append(element("p", "remark", remark));
  if (suggestion) box.append(element("p", "suggestion", suggestion));
  const possible = Object.entries(actions).filter(([name]) => name !== "locked" || passage);
  if (possible.length) box.appendChild(element("div", "actions")).append(...possible.map((one) => actionOf(one, n, root)));
  return box;
}

function actionOf([name, [before, after]], n, root) {
  const chosen = root.chosen[name], button = buttonOf(before);
  const show = () => {
    press(button, chosen.has(n));
    button.textContent = chosen.has(n) ? after : before;
  };
  button.onclick = () => {
    if (!chosen.delete(n)) chosen.add(n);
    root.send(name, [...chosen]);
    show();
  };
  show();
  return button;
}

function press(button, pressed) {
  button.setAttribute("aria-pressed", String(pressed));
}

function buttonOf(label) {
  const button = Object.assign(element("button", "", label), { type: "button" });
  press(button, false);
  return button;
}

function element(tag, name, text = "") {
  return Object.assign(document.createElement(tag), { className: name, textContent: text });
}
