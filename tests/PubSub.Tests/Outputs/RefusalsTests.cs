using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;
using Gateway.PubSub.Outputs;

namespace Gateway.PubSub.Tests.Outputs;

/// <summary>A broker that takes nothing for a while must not cost a backlog; a message that it never takes must not
/// hold up all behind it.</summary>
public sealed class RefusalsTests
{
    private static readonly MqttPublishResult Quota = new(MqttPublishOutcome.Refused, MqttReasonCode.QuotaExceeded);
    private static readonly MqttPublishResult Denied = new(MqttPublishOutcome.Refused, MqttReasonCode.NotAuthorized);

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
        Assert.Equal(0, _refusals.Taken(17));
        Assert.Null(_refusals.Words);
        Assert.True(_refusals.MayComeAgain(18, Quota));
        Assert.Equal(1, _refusals.TakePause()!.Value.TotalSeconds);
    }

    [Theory]
    [InlineData(MqttPublishOutcome.Refused, MqttReasonCode.TopicNameInvalid)]
    [InlineData(MqttPublishOutcome.Refused, MqttReasonCode.PayloadFormatInvalid)]
    [InlineData(MqttPublishOutcome.TooLarge, MqttReasonCode.PacketTooLarge)]
    public void MayComeAgain_MessageIsToBlame_No(MqttPublishOutcome outcome, MqttReasonCode reason)
    {
        Assert.False(_refusals.MayComeAgain(1, new MqttPublishResult(outcome, reason)));
        Assert.False(_refusals.IsPauseDue);
    }

    [Fact]
    public void MayComeAgain_BrokerTakesNothing_EachMessageForEver()
    {
        for (var i = 0; i < 1000; i++)
        {
            Assert.True(_refusals.MayComeAgain(5, Denied));
            Assert.True(_refusals.MayComeAgain(6, Denied));
            Assert.True(_refusals.IsPauseDue);
            _refusals.TakePause();
        }
    }

    /// <summary>A topic that the broker's rules forbid, between others: without a pause for these.</summary>
    [Fact]
    public void MayComeAgain_BrokerTakesOthers_ThreeTimes()
    {
        for (var i = 0; i < 3; i++)
        {
            Assert.True(_refusals.MayComeAgain(5, Denied));
            _refusals.Taken(10 + i);
            Assert.False(_refusals.IsPauseDue);
        }

        Assert.False(_refusals.MayComeAgain(5, Denied));
    }

    [Fact]
    public void IsToBlame_BrokerEndsEachConnection_NoneIsLost()
    {
        Assert.False(_refusals.IsToBlame(1, out var back));
        Assert.Equal(0, back);
        for (var sequence = 2; sequence < 100; sequence++)
        {
            Assert.False(_refusals.IsToBlame(sequence, out back));
            Assert.Equal(sequence - 1, back);
            Assert.True(_refusals.IsPauseDue);
        }

        Assert.NotNull(_refusals.Words);
    }

    [Fact]
    public void IsToBlame_OthersGetThroughBetweenTwoTries_Yes()
    {
        Assert.False(_refusals.IsToBlame(1, out _));
        Assert.Equal(1, _refusals.Taken(2));
        Assert.Equal(0, _refusals.Taken(3));
        Assert.True(_refusals.IsToBlame(1, out _));
    }

    [Fact]
    public void IsToBlame_GetsThroughAtTheSecondTry_NotSuspectAnyLonger()
    {
        Assert.False(_refusals.IsToBlame(1, out _));
        Assert.Equal(1, _refusals.Taken(2));
        Assert.Equal(0, _refusals.Taken(1));
        Assert.False(_refusals.IsToBlame(1, out _));
    }

    [Fact]
    public void CameBack_NoRoomInTheClient_AShortRestWithoutWords()
    {
        _refusals.CameBack();
        Assert.True(_refusals.IsPauseDue);
        Assert.InRange(_refusals.TakePause()!.Value.TotalMilliseconds, 1, 100);
        Assert.Null(_refusals.Words);
    }
}
