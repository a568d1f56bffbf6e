// A bot on discord.js, which nobody here wrote, as a client of the simulated Discord. It prints one line of JSON for each thing that
// happens to it. The test (discordjs_test.go) starts it, plays the people, and looks at both sides.
//
//	node discordjs.cjs MODULES BASE CHANNEL
const path = require('node:path');
const [modules, base, channelID] = process.argv.slice(2);
const { Client, Events, GatewayIntentBits, MessageFlags } = require(path.join(modules, 'discord.js'));

const say = (what, more = {}) => console.log(JSON.stringify({ what, ...more }));
const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.GuildMessageReactions,
    GatewayIntentBits.DirectMessages, GatewayIntentBits.MessageContent],
  rest: { api: base + '/api', version: '10', timeout: 20_000, retries: 0 },
});
let failed = false;
const fail = error => { failed = true; say('failed', { error: String(error && error.stack || error) }); process.exit(1); };
process.on('unhandledRejection', fail);
client.on(Events.Error, fail);
client.on(Events.ClientReady, c => say('ready', { user: c.user.id, guilds: [...c.guilds.cache.keys()] }));
client.on(Events.ShardResume, (_, replayed) => say('resumed', { replayed }));
client.on(Events.MessageUpdate, (_, m) => say('update', { id: m.id, content: m.content, edited: m.editedTimestamp !== null }));
client.on(Events.MessageDelete, m => say('delete', { id: m.id }));
client.on(Events.MessageReactionAdd, (r, user) => say('reaction', { id: r.message.id, emoji: r.emoji.name, user: user.id }));
client.on(Events.ThreadCreate, t => say('thread', { id: t.id, name: t.name, parent: t.parentId }));

// What a person writes tells the bot what to do.
const orders = {
  async talk(m) {
    const sent = await m.channel.send({ content: 'one', nonce: 'n1', enforceNonce: true, allowedMentions: { parse: [] } });
    const edited = await sent.edit({ content: 'two', allowedMentions: { parse: [] } });
    await edited.react('👍');
    const reply = await m.reply({ content: 'a reply', allowedMentions: { repliedUser: true } });
    await m.channel.sendTyping();
    const embed = await m.channel.send({ embeds: [{ title: 'title', fields: [{ name: 'n', value: 'v' }] }] });
    await embed.delete();
    const list = await m.channel.messages.fetch({ after: m.id, limit: 10 });
    return { sent: sent.id, edited: edited.content, reply: reply.reference.messageId, listed: list.size };
  },
  async thread(m) {
    const thread = await m.startThread({ name: 'aside', autoArchiveDuration: 60 });
    const inside = await thread.send('in the thread');
    const hook = await m.channel.createWebhook({ name: 'Mira' });
    const spoken = await hook.send({ content: 'as Mira', username: 'Mira the Teller', threadId: thread.id, allowedMentions: { parse: [] } });
    await hook.editMessage(spoken.id, { content: 'as Mira, edited', threadId: thread.id });
    const again = await hook.fetchMessage(spoken.id, { threadId: thread.id });
    const plain = await hook.send({ content: 'in the channel', username: 'Mira' });
    await hook.deleteMessage(plain.id);
    await hook.delete();
    return { thread: thread.id, inside: inside.channelId, spoken: again.content, webhook: again.webhookId === hook.id };
  },
  async command() {
    const made = await client.guilds.cache.first().commands.set([{
      name: 'tea', description: 'Pours tea', options: [{ name: 'kind', description: 'Which', type: 3, required: true }],
    }]);
    return { commands: made.map(c => c.name) };
  },
  async leave() {
    await client.destroy();
    return {};
  },
};

client.on(Events.InteractionCreate, async i => {
  if (!i.isChatInputCommand()) return;
  await i.deferReply();
  await i.editReply(`${i.commandName}: ${i.options.getString('kind')}`);
  await i.followUp({ content: 'just for you', flags: MessageFlags.Ephemeral });
  say('answered', { command: i.commandName, user: i.user.id });
});

client.on(Events.MessageCreate, async m => {
  say('message', { id: m.id, content: m.content, author: m.author.id, bot: m.author.bot, webhook: m.webhookId, channel: m.channelId });
  const order = !m.author.bot && m.channelId === channelID && orders[m.content.replace(/^!/, '')];
  if (!order) return;
  try {
    say('done', { order: m.content, ...await order(m) });
  } catch (error) {
    fail(error);
  }
});

client.login('simulated').catch(fail);
process.on('exit', () => { if (!failed) say('left'); });
