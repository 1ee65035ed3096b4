using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Tests.RealPeers;

/// <summary>mqtt.js at the other end of a mosquitto.</summary>
public sealed class MqttJsTests
{
    [PeerTheory(MqttPeer.MqttJs)]
    [InlineData(MqttVersion.V311, MqttQos.AtMostOnce)]
    [InlineData(MqttVersion.V311, MqttQos.AtLeastOnce)]
    [InlineData(MqttVersion.V5, MqttQos.AtMostOnce)]
    [InlineData(MqttVersion.V5, MqttQos.AtLeastOnce)]
    public async Task PUBLISH_ThereAndBack_NothingIsLost(MqttVersion version, MqttQos qos)
    {
        PeerPrograms.Demand(MqttPeer.MqttJs);
        using var folder = new TestFolder();
        await using var broker = await MosquittoBroker.StartAsync(folder, "max_topic_alias 10");
        await using var js = StartScript(broker, version);
        await js.LineAsync("@ready");
        var options = broker.Options(version);
        await using var client = await PeerClient.ConnectedAsync(
            options with { Limits = options.Limits with { MaxTopicAliases = 4 } });
        await client.SubscribeAsync("from-js/#");
        var properties = new MqttPublishProperties(
            "application/json", "answers/here", TimeSpan.FromMinutes(1), isText: true,
            userProperties: [new("k", "ä")]);

        for (var i = 0; i < 20; i++)
        {
            var result = await client.PublishAsync($"to-js/{i % 6}", $"{{{i}}}", qos, properties: properties);
            Assert.True(result.IsSuccess);
        }

        var tail = version == MqttVersion.V5 ? " application/json answers/here k=ä by=mqtt.js" : "";
        for (var i = 0; i < 20; i++)
            Assert.Equal($"from-js/{i % 6} {{{i}}}{tail}", await client.MessageAsync());
        var first = await js.LineAsync("@{");
        Assert.Contains(
            $"\"topic\":\"to-js/0\",\"payload\":\"{{0}}\",\"qos\":{(int)qos}", first, StringComparison.Ordinal);
        string[] properties5 =
        [
            "\"contentType\":\"application/json\"", "\"responseTopic\":\"answers/here\"",
            "\"messageExpiryInterval\":", "\"userProperties\":{\"k\":\"ä\"}",
        ];
        Assert.All(
            properties5,
            part => Assert.Equal(version == MqttVersion.V5, first.Contains(part, StringComparison.Ordinal)));
    }

    private static PeerProcess StartScript(MosquittoBroker broker, MqttVersion version) => new(
        "node", Path.Combine(PeerPrograms.ScriptFolder, "client.js"), $"{broker.Port}", $"{(int)version}");
}
