// What stands in a field of the page before it is sent: told a moment after the last key, so that no reload loses it.
const MOMENT = 500;

export default function ({ data, setTriggerValue }) {
  let timer;
  const told = ({ target }) => {
    if (!target.closest?.(`.st-key-${CSS.escape(data.field)}`)) return;
    clearTimeout(timer);
    timer = setTimeout(() => setTriggerValue("typed", target.value), MOMENT);
  };
  document.addEventListener("input", told);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("input", told);
  };
}
