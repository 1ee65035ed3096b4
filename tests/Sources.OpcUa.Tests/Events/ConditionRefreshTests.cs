using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Events;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Events;

public sealed class ConditionRefreshTests
{
    /// <summary>The next connection begins another where one is open. The loop may look at the answer before it is
    /// cancelled, or behind it.</summary>
    [Theory]
    [InlineData(StatusCodes.BadConnectionClosed, false, true)]
    [InlineData(StatusCodes.Good, true, true)]
    [InlineData(StatusCodes.BadUserAccessDenied, false, false)]
    public async Task Look_TheCallFailed_StaysOpenWhereTheConnectionEnded(uint status, bool isCancelled, bool isOpen)
    {
        await using var gateway = new UpstreamFixture(events: true);
        gateway.Server.OnRequest = _ => new StatusCode(status);
        var link = new UpstreamLink(
            await gateway.Server.ConnectAsync(default), new NamespaceMap([0]), new OperationSizes(), 250);
        using var mirror = gateway.Conditions.Open(
            new NodeId(85), null!, new MirrorLimits(static () => 10, static () => 10_000));
        var refresh = new ConditionRefresh(link, 1, mirror, gateway.Limits, gateway.Time);

        Assert.False(refresh.Look(static () => { }, new CancellationToken(isCancelled)));
        Assert.True(refresh.IsOpen);

        Assert.Equal(!isOpen, refresh.Look(static () => { }, default));
        Assert.Equal(isOpen, refresh.IsOpen);
        if (!isOpen)
            Assert.Equal(status, refresh.Failure.Code);
    }
}
