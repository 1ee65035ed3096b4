using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;
using Gateway.PubSub.Outputs;

namespace Gateway.PubSub.Tests.Outputs;

/// <summary>A broker that refuses for a while must not cost a backlog.</summary>
public sealed class RefusalsTests
{
    private static readonly MqttPublishResult Quota = new(MqttPublishOutcome.Refused, MqttReasonCode.QuotaExceeded);

    private readonly Refusals _refusals = new();

    [Fact]
    public void MayComeAgain_Quota_AfterPausesThatGrow()
    {
        var pauses = new List<double>();
        for (var i = 0; i < 8; i++)
        {
            Assert.True(_refusals.MayComeAgain(17, Quota));
            Assert.True(_refusals.MayComeAgain(18, Quota));
            Assert.True(_refusals.IsPauseDue);
            pauses.Add(_refusals.TakePause()!.Value.TotalSeconds);
            Assert.Null(_refusals.TakePause());
        }

        Assert.Equal([1, 2, 4, 8, 16, 32, 60, 60], pauses);
        Assert.Contains("QuotaExceeded", _refusals.Words, StringComparison.Ordinal);
        _refusals.End();
        Assert.Null(_refusals.Words);
        Assert.True(_refusals.MayComeAgain(17, Quota));
        Assert.Equal(1, _refusals.TakePause()!.Value.TotalSeconds);
    }

    [Theory]
    [InlineData(MqttPublishOutcome.Refused, MqttReasonCode.TopicNameInvalid)]
    [InlineData(MqttPublishOutcome.Refused, MqttReasonCode.PayloadFormatInvalid)]
    [InlineData(MqttPublishOutcome.TooLarge, MqttReasonCode.PacketTooLarge)]
    [InlineData(MqttPublishOutcome.GivenUp, MqttReasonCode.UnspecifiedError)]
    public void MayComeAgain_MessageIsToBlame_No(MqttPublishOutcome outcome, MqttReasonCode reason)
    {
        Assert.False(_refusals.MayComeAgain(1, new MqttPublishResult(outcome, reason)));
        Assert.False(_refusals.IsPauseDue);
    }

    [Fact]
    public void MayComeAgain_TheOldestAgainAndAgain_IsGivenUpAloneInTheEnd()
    {
        var tries = 0;
        while (_refusals.MayComeAgain(5, Quota))
        {
            tries++;
            _refusals.TakePause();
            Assert.True(_refusals.MayComeAgain(6, Quota));
        }

        Assert.Equal(20, tries);
        Assert.True(_refusals.MayComeAgain(6, Quota));
    }
}
