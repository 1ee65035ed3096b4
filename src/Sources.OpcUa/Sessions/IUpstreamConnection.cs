using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>Opens sessions to one upstream; a fake in tests.</summary>
internal interface IUpstreamConnection
{
    ValueTask<IUpstreamSession> ConnectAsync(CancellationToken cancellation);

    /// <summary>See <c>UaClient.ResumeAsync</c>.</summary>
    /// <param name="lost">Of this upstream; its connection has ended.</param>
    /// <param name="cancellation">Ends the attempt.</param>
    ValueTask<ResumedUpstream> ResumeAsync(IUpstreamSession lost, CancellationToken cancellation);

    /// <summary>See <c>UaClient.LeaveAsync</c>.</summary>
    /// <param name="lost">Of this upstream; its connection has ended.</param>
    /// <param name="cancellation">Ends the attempt.</param>
    ValueTask LeaveAsync(IUpstreamSession lost, CancellationToken cancellation);

    /// <summary>Of the server in use; null: as configured.</summary>
    string? Address => null;

    /// <summary>Null: there is one server alone.</summary>
    RedundancyReport? Redundancy => null;

    /// <summary>A job of each connection: ends it, by an exception, where another server should take over.</summary>
    Task WatchAsync(IUpstreamSession session, CancellationToken cancellation) => Task.CompletedTask;

    /// <summary>Closes all sessions that nobody uses.</summary>
    ValueTask CloseAsync() => default;
}
