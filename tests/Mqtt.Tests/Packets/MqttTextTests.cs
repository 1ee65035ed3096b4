using System.Text;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Tests.Packets;

public sealed class MqttTextTests
{
    /// <summary>The examples of MQTT 5.0 §4.7.1 and MQTT 5.0 §4.7.2.</summary>
    [Theory]
    [InlineData("sport/tennis/player1/#", "sport/tennis/player1", true)]
    [InlineData("sport/tennis/player1/#", "sport/tennis/player1/ranking", true)]
    [InlineData("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", true)]
    [InlineData("sport/#", "sport", true)]
    [InlineData("#", "sport", true)]
    [InlineData("sport/tennis/+", "sport/tennis/player1", true)]
    [InlineData("sport/tennis/+", "sport/tennis/player1/ranking", false)]
    [InlineData("sport/+", "sport", false)]
    [InlineData("sport/+", "sport/", true)]
    [InlineData("+/+", "/finance", true)]
    [InlineData("/+", "/finance", true)]
    [InlineData("+", "/finance", false)]
    [InlineData("#", "$SYS/monitor", false)]
    [InlineData("+/monitor", "$SYS/monitor", false)]
    [InlineData("$SYS/#", "$SYS/monitor", true)]
    [InlineData("$share/group/a/+", "a/b", true)]
    [InlineData("a/b", "a/c", false)]
    [InlineData("a/b/c", "a/b", false)]
    public void Matches_TheExamples_AsTheSpecificationSays(string filter, string topic, bool expected) =>
        Assert.Equal(expected, MqttText.Matches(Encoding.UTF8.GetBytes(filter), Encoding.UTF8.GetBytes(topic)));

    [Theory]
    [InlineData("sport/tennis/#", true)]
    [InlineData("+", true)]
    [InlineData("+/tennis/#", true)]
    [InlineData("sport/+/player1", true)]
    [InlineData("/", true)]
    [InlineData("sport+", false)]
    [InlineData("sport/tennis#", false)]
    [InlineData("sport/tennis/#/ranking", false)]
    [InlineData("", false)]
    public void IsTopicFilter_TheExamples_AsTheSpecificationSays(string filter, bool expected) =>
        Assert.Equal(expected, MqttText.IsTopicFilter(Encoding.UTF8.GetBytes(filter)));

    [Theory]
    [InlineData("a/b", true)]
    [InlineData("a b/ä", true)]
    [InlineData("a/+", false)]
    [InlineData("#", false)]
    [InlineData("", false)]
    [InlineData("a\0", false)]
    public void IsTopicName_Names_AsTheSpecificationSays(string topic, bool expected) =>
        Assert.Equal(expected, MqttText.IsTopicName(Encoding.UTF8.GetBytes(topic)));
}
