// mqtt.js as the other client of a broker. Arguments: port, protocol version (4 or 5).
// Each message to "to-js/#" is told as a line "@{...}" and sent back to "from-js/<rest>", with its properties.
'use strict';
const mqtt = require('mqtt');

const [port, protocolVersion] = process.argv.slice(2).map(Number);
const client = mqtt.connect({ host: '127.0.0.1', port, protocolVersion, clientId: 'js', reconnectPeriod: 0 });
const fail = (error) => { console.log('@failed ' + error); process.exit(1); };
client.on('error', fail);

client.on('message', (topic, payload, packet) => {
  const { contentType, responseTopic, messageExpiryInterval, userProperties } = packet.properties || {};
  const told = {
    topic, payload: payload.toString(), qos: packet.qos, retain: packet.retain,
    contentType, responseTopic, messageExpiryInterval, userProperties: { ...userProperties },
  };
  console.log('@' + JSON.stringify(told));
  const properties = protocolVersion === 5
    ? { contentType, responseTopic, userProperties: { ...userProperties, by: 'mqtt.js' } }
    : undefined;
  client.publish(topic.replace('to-js', 'from-js'), payload, { qos: packet.qos, properties });
});

client.on('connect', () => client.subscribe('to-js/#', { qos: 1 }, (error) => error ? fail(error) : console.log('@ready')));
