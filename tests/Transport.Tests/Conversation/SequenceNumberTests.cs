using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

public sealed class SequenceNumberTests
{
    [Theory]
    [InlineData(1u, 2u, true)]
    [InlineData(1u, 1u, false)]
    [InlineData(1u, 3u, false)]
    [InlineData(4294966270u, 5u, false)]
    [InlineData(4294966271u, 5u, true)]
    [InlineData(4294966271u, 1024u, false)]
    [InlineData(4294966271u, 4294966272u, true)]
    [InlineData(uint.MaxValue, 0u, true)]
    public void Follows_LegacyRule_AsPart6Says(uint last, uint next, bool expected) =>
        Assert.Equal(expected, SequenceNumber.Follows(last, next, legacy: true));

    [Theory]
    [InlineData(uint.MaxValue, 0u, true)]
    [InlineData(4294966271u, 5u, false)]
    public void Follows_WholeRange_WrapsOnlyAtTheEnd(uint last, uint next, bool expected) =>
        Assert.Equal(expected, SequenceNumber.Follows(last, next, legacy: false));

    [Fact]
    public void Next_AtTheLegacyWrap_BelowThousand24() =>
        Assert.Equal(1u, SequenceNumber.Next(4294966271, legacy: true));

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(2)]
    public async Task MSG_SequenceGapOrRepeat_ChannelIsClosed(int step)
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        await client.SendMessageAsync(new byte[10]);
        await client.SendMessageAsync(new byte[10], sequence: (uint)(client.Sequence + step));

        Assert.Equal(StatusCodes.BadSequenceNumberInvalid, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.SequenceNumberInvalid));
        Assert.Equal((AdmissionStage.Renew, RefusalReason.SecurityRefused), server.LastRefusal);
        Assert.Equal(1, server.Handler.Count);
        Assert.Equal([new StatusCode(StatusCodes.BadSequenceNumberInvalid)], server.Handler.Closes);
    }
}
