// discord.js's builders, which nobody here wrote and which check what they are given, build again what we send to Discord: commands as
// they are registered, and first answers. What they build must be what we sent.
//
//	node builders.cjs MODULES <{"commands":[…],"answers":[…]}    one line {"what":…,"wrong":…} for each; wrong is "" when it is the same
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const [modules] = process.argv.slice(2);
const b = require(path.join(modules, '@discordjs', 'builders'));

// Values that Discord takes for none are left out, and permissions are written as a text.
const plain = value => {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([, v]) => v !== undefined && v !== null && v !== false && !(Array.isArray(v) && v.length === 0));
  return Object.fromEntries(kept.map(([k, v]) => [k, k === 'default_member_permissions' ? String(v) : plain(v)]));
};

const named = (builder, o) => {
  builder.setName(o.name).setDescription(o.description);
  if (o.description_localizations) builder.setDescriptionLocalizations(o.description_localizations);
  return builder;
};

const fill = (builder, o) => {
  named(builder, o).setRequired(o.required ?? false);
  for (const [key, set] of [['min_length', 'setMinLength'], ['max_length', 'setMaxLength'], ['min_value', 'setMinValue'], ['max_value', 'setMaxValue'],
    ['autocomplete', 'setAutocomplete']]) {
    if (o[key] !== undefined) builder[set](o[key]);
  }
  if (o.choices) builder.addChoices(...o.choices);
  if (o.channel_types) builder.addChannelTypes(...o.channel_types);
  return builder;
};

const adders = { 3: 'addStringOption', 4: 'addIntegerOption', 5: 'addBooleanOption', 7: 'addChannelOption', 8: 'addRoleOption', 11: 'addAttachmentOption' };

const options = (builder, list) => {
  for (const o of list ?? []) {
    if (o.type === 1) builder.addSubcommand(sub => options(named(sub, o), o.options));
    else builder[adders[o.type]](option => fill(option, o));
  }
  return builder;
};

const command = c => {
  if (c.type === 3) {
    const menu = new b.ContextMenuCommandBuilder().setType(3).setName(c.name).setContexts(c.contexts).setIntegrationTypes(c.integration_types);
    if (c.name_localizations) menu.setNameLocalizations(c.name_localizations);
    return { ...menu.setDefaultMemberPermissions(c.default_member_permissions ?? null).toJSON(), description: '' };
  }
  const builder = named(new b.SlashCommandBuilder(), c).setContexts(c.contexts).setIntegrationTypes(c.integration_types);
  builder.setDefaultMemberPermissions(c.default_member_permissions ?? null);
  return options(builder, c.options).toJSON();
};

const component = c => {
  const builder = new { 2: b.ButtonBuilder, 3: b.StringSelectMenuBuilder, 6: b.RoleSelectMenuBuilder, 8: b.ChannelSelectMenuBuilder }[c.type]();
  if (c.custom_id !== undefined) builder.setCustomId(c.custom_id);
  if (c.disabled !== undefined) builder.setDisabled(c.disabled);
  if (c.type === 2) {
    builder.setLabel(c.label).setStyle(c.style);
    if (c.url !== undefined) builder.setURL(c.url);
    return builder;
  }
  builder.setMinValues(c.min_values).setMaxValues(c.max_values);
  if (c.placeholder !== undefined) builder.setPlaceholder(c.placeholder);
  if (c.type === 3) builder.addOptions(...c.options);
  if (c.channel_types) builder.addChannelTypes(...c.channel_types);
  const chosen = (c.default_values ?? []).map(v => v.id);
  if (chosen.length > 0) (c.type === 6 ? builder.setDefaultRoles(chosen) : builder.setDefaultChannels(chosen));
  return builder;
};

const field = l => new b.LabelBuilder().setLabel(l.label).setTextInputComponent(input => {
  const c = l.component;
  input.setCustomId(c.custom_id).setStyle(c.style).setRequired(c.required);
  for (const [key, set] of [['placeholder', 'setPlaceholder'], ['value', 'setValue'], ['min_length', 'setMinLength'], ['max_length', 'setMaxLength']]) {
    if (c[key] !== undefined) input[set](c[key]);
  }
  return input;
});

const answer = ({ type, data }) => {
  if (type === 9) {
    const labels = data.components.map(l => (l.description === undefined ? field(l) : field(l).setDescription(l.description)));
    return { type, data: new b.ModalBuilder().setCustomId(data.custom_id).setTitle(data.title).addLabelComponents(...labels).toJSON() };
  }
  const rows = (data?.components ?? []).map(row => new b.ActionRowBuilder().addComponents(...row.components.map(component)).toJSON());
  return data === undefined ? { type } : { type, data: { ...data, components: rows } };
};

const judge = (what, build, sent) => {
  let wrong = '';
  try {
    const built = plain(JSON.parse(JSON.stringify(build(sent))));
    if (!isDeepStrictEqual(built, plain(sent))) wrong = `they build ${JSON.stringify(built)}`;
  } catch (error) {
    wrong = String(error);
  }
  console.log(JSON.stringify({ what, wrong }));
};

let text = '';
process.stdin.setEncoding('utf8').on('data', part => { text += part; }).on('end', () => {
  const all = JSON.parse(text);
  for (const c of all.commands) judge(`/${c.name}`, command, c);
  all.answers.forEach((a, n) => judge(`answer ${n}`, answer, a));
});
