// Text as it comes in: asks every 100 ms, appends to a text node, tells Python only that a text, a round or the run has ended.
// On the form that starts a run (`ahead`: what starts it) it asks from the click on and stands over the draft, as it will
// stand on the run's own page, until that page is drawn.
const states = new WeakMap();
const ahead = (globalThis.refineAhead ??= { url: "", at: "0", texts: new Map() });
const AHEAD = 25;
const TAGS = { same: "span", old: "del", new: "ins" };

export default function ({ data, parentElement, setTriggerValue }) {
  const state = states.get(parentElement) ?? open(parentElement);
  states.set(parentElement, state);
  const other = state.data?.url !== data.url;
  state.root.hidden = data.quiet || (data.ahead && (other || !state.met));
  state.root.classList.toggle("ahead", Boolean(data.ahead));
  Object.assign(state, { data, setTriggerValue, told: 0, drawn: Date.now() });
  if (!data.quiet && JSON.stringify(data.marked) !== state.marking) mark(state);
  state.root.lang = data.language;
  if (other) Object.assign(state, { at: "0", calls: [], tries: 0, errors: 0, heard: false, over: false });
  if (!data.quiet) settle(state);
  if (other && data.ahead) Object.assign(state, { met: false, armed: false });
  else if (other) {
    if (ahead.url === data.url) show(state, { ...ahead, calls: [...ahead.texts.values()], mark: data.mark, over: false });
    ask(state);
  }
  return () => {
    state.over = true;
    clearTimeout(state.timer);
    document.removeEventListener("visibilitychange", state.wake);
    for (const kind of ["click", "keydown"]) document.removeEventListener(kind, state.press, true);
  };
}

function open(parent) {
  const part = (name) => parent.querySelector("." + name);
  const state = { root: part("live"), who: part("who"), since: part("since"), pane: part("pane") };
  Object.assign(state, { caret: part("caret"), rest: part("rest"), critics: part("critics"), remarks: new Map() });
  Object.assign(state, { fresh: part("new"), marks: part("marks"), spent: part("spent"), });
  state.node = state.fresh.appendChild(document.createTextNode(""));
  state.pane.onscroll = () => (state.away = Math.abs(state.pane.scrollTop - follow(state)) > 60);
  state.wake = () => document.hidden || ask(state);
  document.addEventListener("visibilitychange", state.wake);
  state.press = (event) => {
    const key = event.type === "keydown" && event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!state.data?.ahead || state.armed || !(key || event.target.closest?.(state.data.ahead))) return;
    Object.assign(state, { armed: true, tries: 0, drawn: Date.now(), heard: false, told: 0 });
    Object.assign(ahead, { url: state.data.url, at: "0", texts: new Map() });
    setTimeout(ask, AHEAD, state);
  };
  for (const kind of ["click", "keydown"]) document.addEventListener(kind, state.press, true);
  return state;
}

async function ask(state) {
  clearTimeout(state.timer);
  if (state.data.ahead && !state.armed) return; // nothing was pressed, or the press was refused
  try {
    const url = `${state.data.url}&at=${encodeURIComponent(state.at)}${state.data.ahead ? "&ahead=1" : ""}`;
    const answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(10000) });
    if (!answer.ok) throw new Error(answer.statusText);
    const news = await answer.json();
    if (news.begun !== false) show(state, news);
    state.errors = 0;
  } catch {
    state.errors += 1;
  }
  if (state.data.ahead) {
    if (!state.armed) return;
    state.armed = !state.over && ++state.tries < 80;
    if (state.armed) state.timer = setTimeout(ask, AHEAD, state);
    else if (!state.over && !state.told) state.setTriggerValue("changed", "unheard");
    return;
  }
  const pace = document.hidden ? 1000 : state.data.quiet ? 300 : state.heard || ++state.tries > 200 ? 100 : 30;
  clearTimeout(state.timer);
  if (!state.over) state.timer = setTimeout(ask, state.errors ? Math.min(8000, 250 * 2 ** state.errors) : pace, state);
}

// Of texts that are written side by side the first is shown.
const first = ([call]) => !/^\d+\.[1-9]/.test(call);
const judges = (role) => /^(critic|judge|pair)/.test(role);

function show(state, { at, calls: all, mark, over }) {
  const calls = all.filter(first);
  Object.assign(state, { at, calls, mark });
  if (state.data.ahead) meet(state);
  if (!state.data.quiet) {
    for (const [call, role, start, text] of calls) {
      if (text) state.heard = true;
      if (text) (judges(role) ? remark : write)(state, call, role, start, text);
    }
    settle(state);
  }
  if (state.data.ahead && !state.told && (state.heard || Date.now() - state.drawn > 250)) {
    state.told = Date.now();
    state.setTriggerValue("changed", "started");
  }
  if (!state.data.ahead && mark !== state.data.mark && Date.now() - state.told > 3000) {
    state.told = Date.now();
    state.setTriggerValue("changed", mark);
  }
  state.over ||= over && mark === state.data.mark;
}

// The run exists: its pane comes over the draft, and its texts are kept for the page that follows.
function meet(state) {
  state.root.hidden = !(state.met = true);
  ahead.at = state.at;
  for (const [call, role, start, text, thinking] of state.calls) {
    const known = ahead.texts.get(call)?.[3] ?? "";
    ahead.texts.set(call, [call, role, 0, known.slice(0, start) + text, thinking]);
  }
}

function write(state, call, role, start, text) {
  const { node, data } = state;
  if (state.call !== call) Object.assign(state, { call, matched: 0 });
  if (start && start === node.length) node.appendData(text);
  else node.data = node.data.slice(0, start) + text;
  const tail = node.data.slice(-20);
  const place = data.base.indexOf(tail, Math.max(0, state.matched - 20));
  if (tail.length === 20 && place >= 0 && place < state.matched + 3000) state.matched = place + 20;
  if (!state.away) state.pane.scrollTop = follow(state);
}

function remark(state, call, role, start, text) {
  if (!state.remarks.has(call)) {
    const box = state.critics.appendChild(document.createElement("p"));
    box.appendChild(document.createElement("b")).textContent = state.data.words.critic;
    state.remarks.set(call, { node: box.appendChild(document.createTextNode("")), said: "" });
  }
  const critic = state.remarks.get(call);
  critic.said = critic.said.slice(0, start) + text;
  const shown = readable(critic.said);
  if (shown.startsWith(critic.node.data)) critic.node.appendData(shown.slice(critic.node.length));
  else critic.node.data = shown;
  state.critics.scrollTop = state.critics.scrollHeight;
}

// The finished text with its changes, in place of the plain one, while the critics read it.
function mark(state) {
  state.marking = JSON.stringify(state.data.marked);
  const pieces = state.data.marked ? state.data.marked.pieces : [];
  state.marks.replaceChildren(
    ...pieces.map(([kind, text]) => Object.assign(document.createElement(TAGS[kind] ?? "span"), { textContent: text })),
  );
}

// A verdict that comes as JSON is shown by its quotes and remarks alone.
function readable(said) {
  if (!/^\s*(```\w*\s*)?\{/.test(said)) return said;
  const parts = [...said.matchAll(/"(quote|remark)"\s*:\s*"((?:[^"\\]|\\.)*)/g)];
  return parts.map(([, kind, text]) => (kind === "quote" ? `“${unescaped(text)}” ` : `${unescaped(text)}\n`)).join("");
}

function unescaped(text) {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))).replace(/\\n/g, " ").replace(/\\(.)/g, "$1");
}

// What stands around the new text: who is at work, the rest of the old text, the critics' words.
function settle(state) {
  const { calls, data } = state;
  const named = new Set(calls.map(([call]) => call));
  if (state.call && !named.has(state.call) && state.mark === data.mark) [state.call, state.node.data] = ["", ""];
  for (const [call, { node }] of state.remarks) {
    if (!named.has(call)) node.parentNode.remove(), state.remarks.delete(call);
  }
  const [call, role, , , thinking] = calls.at(-1) ?? [];
  const writing = Boolean(call) && call === state.call;
  state.rest.textContent = !state.call ? data.base : writing ? data.base.slice(state.matched) : "";
  state.rest.classList.toggle("dim", writing);
  state.caret.hidden = !writing;
  state.critics.hidden = !state.remarks.size;
  const doing = !call ? (state.heard ? "checks" : "queued") : thinking ? "thinking" : judges(role) ? "reading" : "writing";
  if (doing !== state.doing) Object.assign(state, { doing, began: Date.now() });
  const chosen = data.marked?.call === "", marked = chosen || (data.marked?.call === state.call && !writing);
  [state.fresh.hidden, state.marks.hidden, state.rest.hidden] = [marked, !marked, chosen];
  state.caret.hidden ||= chosen;
  const drawn = (Date.now() - state.drawn) / 1000, pause = Math.ceil(data.pause - drawn);
  const seconds = Math.round((Date.now() - state.began) / 1000);
  state.who.textContent = pause > 0 ? data.words.pause.replace("{n}", pause) : data.words[doing];
  state.since.textContent = seconds > 2 && !(pause > 0) ? data.words.seconds.replace("{n}", seconds) : "";
  state.spent.textContent = [data.counting ? clock(data.elapsed + drawn) : "", data.cost].filter(Boolean).join(" · ");
}

function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;
}

function follow({ caret, pane }) {
  return Math.max(0, Math.min(caret.offsetTop - pane.clientHeight * 0.7, pane.scrollHeight - pane.clientHeight));
}
