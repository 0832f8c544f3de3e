// What an actor thinks, as one line while it comes in: asks every 100 ms, tells Python only that a step or the run has ended.
const states = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const state = states.get(parentElement) ?? open(parentElement);
  states.set(parentElement, state);
  const other = state.data?.url !== data.url;
  Object.assign(state, { data, setTriggerValue, told: 0, drawn: Date.now() });
  if (other) Object.assign(state, { at: "0", texts: new Map(), errors: 0, over: false });
  settle(state);
  if (other) ask(state);
  return () => {
    state.over = true;
    clearTimeout(state.timer);
    document.removeEventListener("visibilitychange", state.wake);
  };
}

function open(parent) {
  const part = (name) => parent.querySelector("." + name);
  const state = { who: part("who"), since: part("since"), node: part("thought").appendChild(document.createTextNode("")) };
  state.wake = () => document.hidden || ask(state);
  document.addEventListener("visibilitychange", state.wake);
  return state;
}

async function ask(state) {
  clearTimeout(state.timer);
  try {
    const url = `${state.data.url}&at=${encodeURIComponent(state.at)}`;
    const answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(10000) });
    if (!answer.ok) throw new Error(answer.statusText);
    show(state, await answer.json());
    state.errors = 0;
  } catch {
    state.errors += 1;
  }
  const pace = state.errors ? Math.min(8000, 250 * 2 ** state.errors) : document.hidden ? 1000 : 100;
  clearTimeout(state.timer);
  if (!state.over) state.timer = setTimeout(ask, pace, state);
}

function show(state, { at, calls, mark, over }) {
  state.at = at;
  const before = state.texts;
  state.texts = new Map(calls.map(([call, , start, text]) => [call, (before.get(call) ?? "").slice(0, start) + text]));
  settle(state);
  if (mark !== state.data.mark && Date.now() - state.told > 3000) {
    state.told = Date.now();
    state.setTriggerValue("changed", mark);
  }
  state.over ||= over && mark === state.data.mark;
}

function settle({ data, drawn, node, since, texts, who }) {
  const passed = (Date.now() - drawn) / 1000, pause = Math.ceil(data.pause - passed);
  const seconds = Math.round(data.elapsed + (data.counting ? passed : 0));
  who.textContent = pause > 0 ? data.words.pause.replace("{n}", pause) : data.words.thinking;
  since.textContent = seconds > 2 && !(pause > 0) ? data.words.seconds.replace("{n}", seconds) : "";
  const thought = readable([...texts.values()].at(-1) ?? "").trim().slice(0, 400);
  if (thought !== node.data) node.data = thought;
}

// The thought alone, in whatever form the step comes: never JSON, never a tool's arguments.
function readable(said) {
  if (/^[\s`]*(json\s*)?[{[]/i.test(said)) {
    const [, thought] = said.match(/"(?:thought|思考)"\s*:\s*"((?:[^"\\]|\\.)*)/i) ?? [];
    return thought ? unescaped(thought) : "";
  }
  return said.replace(/^\W*(thought|思考)\W*[:：]/i, "").split(/\n\s*\W*(?:action|行动|final answer|答案)\W*[:：]|[{`]/i)[0];
}

function unescaped(text) {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))).replace(/\\n/g, " ").replace(/\\(.)/g, "$1");
}
