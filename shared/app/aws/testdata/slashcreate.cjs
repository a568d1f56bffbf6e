// slash-create's server for AWS Lambda, on events of an HTTP API.
//
//	node slashcreate.cjs MODULES KEY EVENT…    one line {"status":…,"type":…,"command":…} for each
const path = require('node:path');
const [modules, publicKey, ...events] = process.argv.slice(2);
const { SlashCreator, AWSLambdaServer } = require(path.join(modules, 'slash-create'));

const lambda = {};
const creator = new SlashCreator({ applicationID: '1420000000000000009', publicKey, handleCommandsManually: true });
creator.withServer(new AWSLambdaServer(lambda, 'handler'));
creator.on('commandInteraction', (interaction, respond) =>
  respond({ status: 200, body: { type: 4, data: { content: interaction.data.name } } }));

(async () => {
  for (const event of events) {
    const said = await new Promise((resolve, reject) =>
      lambda.handler(JSON.parse(event), {}, (error, answer) => (error ? reject(error) : resolve(answer))));
    const body = said.statusCode === 200 ? JSON.parse(said.body) : {};
    console.log(JSON.stringify({ status: said.statusCode, type: body.type ?? 0, command: body.data?.content ?? '' }));
  }
})().catch(error => console.log(JSON.stringify({ failed: String(error) })));
