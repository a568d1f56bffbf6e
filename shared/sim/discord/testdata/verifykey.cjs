// Discord's own check of signatures, on requests of the simulated Discord.
//
//	node verifykey.cjs MODULES KEY {body,signature,timestamp}…    one line {"what":"checked","good":…} for each
const path = require('node:path');
const [modules, key, ...requests] = process.argv.slice(2);
const { verifyKey } = require(path.join(modules, 'discord-interactions'));

(async () => {
  for (const line of requests) {
    const { body, signature, timestamp } = JSON.parse(line);
    console.log(JSON.stringify({ what: 'checked', good: await verifyKey(body, signature, timestamp, key) }));
  }
})().catch(error => console.log(JSON.stringify({ what: 'failed', error: String(error) })));
