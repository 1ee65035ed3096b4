using Gateway.Admission.Stages;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Tests.Conversation;

public sealed class ServerRoleTests
{
    /// <summary>The peer's own end, a quiet one, or ours.</summary>
    private static readonly ChannelCloseReason[] NobodyRefused =
    [
        ChannelCloseReason.PeerClosed, ChannelCloseReason.ConnectionLost, ChannelCloseReason.PeerError,
        ChannelCloseReason.LocalClosed, ChannelCloseReason.Shutdown, ChannelCloseReason.Inactive,
        ChannelCloseReason.TokenExpired, ChannelCloseReason.InternalError, ChannelCloseReason.EndedByOperator,
    ];

    private static readonly ChannelCloseReason[] ToldByAdmission =
    [
        ChannelCloseReason.HelloDeadline, ChannelCloseReason.OpenDeadline, ChannelCloseReason.Recycled,
        ChannelCloseReason.TooManyConnections, ChannelCloseReason.TooBusy,
    ];

    public static TheoryData<ChannelCloseReason> Ends => [.. Enum.GetValues<ChannelCloseReason>()];

    [Theory]
    [MemberData(nameof(Ends))]
    public void ReasonOf_AnEndThatRefusesThePeer_IsExplained(ChannelCloseReason end)
    {
        var isExplained = ServerRole.ReasonOf(end) is { } reason && reason != RefusalReason.None;

        Assert.NotEqual(NobodyRefused.Contains(end) || ToldByAdmission.Contains(end), isExplained);
    }
}
