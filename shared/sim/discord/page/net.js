// Talking with the simulated Discord's control API (its routes are in doc.go), and nobody else.

export class Refused extends Error {
  constructor(message, status) { super(message); this.status = status; }
}

// ask sends a request and returns the answer's JSON, null where there is none.
export async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch("/sim" + path, { method, headers: { "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
  } catch { throw new Refused("the simulator does not answer; is it still running?", 0); }
  const text = await answer.text();
  let value = null;
  try { value = text ? JSON.parse(text) : null; } catch { throw new Refused("the answer makes no sense", answer.status); }
  if (!answer.ok) throw new Refused((value && value.error) || "refused with " + answer.status, answer.status);
  return value;
}

export const at = (channel, ...rest) => "/channels/" + [channel, ...rest].map(encodeURIComponent).join("/");

// listen follows the event stream for good. opened is called at each new connection, for what happened before it is not in it;
// lost when it breaks. The browser connects again by itself, and where it gives up, this does.
export function listen(handlers, opened, lost) {
  let stream;
  const connect = () => {
    stream = new EventSource("/sim/events");
    stream.onopen = opened;
    stream.onerror = () => {
      lost();
      if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 1500);
    };
    for (const [name, f] of Object.entries(handlers)) stream.addEventListener(name, e => f(JSON.parse(e.data)));
  };
  connect();
  addEventListener("pagehide", () => stream.close());
  addEventListener("pageshow", e => { if (e.persisted) connect(); });
}
