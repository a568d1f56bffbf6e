// What a person does with an application: uses a command, presses a component, sends a form; and what is shown until it answers, and where
// it does not.

import { ask, Refused } from "./net.js";
import { toast } from "./toast.js";
import { world } from "./world.js";
import { openModal } from "./modal.js";
import * as log from "./log.js";

// reason is why an application did not answer, where there is more to say than that.
const reason = why => why.replace(/^the application did not respond(:? |$)/, "");

const post = what => ask("POST", "/interactions", { user: world.me.id, channel: world.channel.id, ...what });

let last = 0n;

// localID is an id of now, as the server's are, so that a line of this page's own stands in its order.
function localID() {
  const now = BigInt(Date.now() - 1420070400000) << 22n;
  last = now > last ? now : last + 1n;
  return String(last);
}

// waiting is the line of a command that was sent and not answered yet, or that failed. Nobody else sees it.
function waiting(shown) {
  const bot = world.state.bot, me = world.me;
  return {
    id: localID(), channel_id: world.channel.id, type: 20, flags: 64, content: "", timestamp: new Date().toISOString(), edited_timestamp: null, local: "sending", again: null,
    author: { id: bot.id, username: bot.name, global_name: bot.name, bot: true, avatar: null }, ephemeral_to: me.id,
    interaction: { name: shown, user: { id: me.id, username: me.name, global_name: me.name } }, interaction_metadata: { user: { id: me.id, username: me.name, global_name: me.name } },
  };
}

// useCommand sends a command. back(why) is called where it was not sent at all, for then the form is to be filled in better; again()
// where it failed and the person wants to try once more.
export async function useCommand(kind, command, rest, { back = toast, again = null } = {}) {
  const line = waiting(command.shown), mine = () => world.channel.id === line.channel_id && world.me.id === line.ephemeral_to;
  log.create(line);
  const end = () => { if (mine()) log.remove(line.id); };
  try {
    const answer = await post({ kind, command: kind === "command" ? command.name : command.id, ...rest });
    if (answer.error) fail(answer.error);
    else {
      end();
      if (answer.modal) modal(answer.modal);
    }
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    end();
    back(e.message);
  }
  function fail(why) { if (mine()) log.update({ ...line, local: "failed", why: reason(why), again }); }
}

// useComponent presses a button or sends what was chosen in a menu of a message.
export async function useComponent(m, what) {
  const view = log.view(m.id);
  if (!view || view.working) return;
  view.busy(what.custom_id);
  let why = "";
  try {
    const answer = await post({ kind: "component", message: m.id, ...what });
    why = answer.error || "";
    if (answer.modal) modal(answer.modal);
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    why = e.message;
  } finally { view.busy(""); }
  if (why) view.fails(reason(why) || " ");
}

const shownModals = new Set(); // a dialog comes with the answer or as an event, and is shown once

// modal shows a form, and sends it to where it came from whatever is open then.
export function modal(form) {
  const { interaction, channel, user } = form;
  if (shownModals.has(interaction)) return;
  shownModals.add(interaction);
  openModal(form, async fields => (await ask("POST", "/interactions", { kind: "modal", user, channel, interaction, fields })).error || "");
}
