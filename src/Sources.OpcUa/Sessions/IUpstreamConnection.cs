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

    /// <summary>Of each server, the one of its last session.</summary>
    IReadOnlyList<PresentedCertificate> Certificates => [];

    /// <summary>A job of each connection: ends it, by an exception, where another server should take over.</summary>
    Task WatchAsync(IUpstreamSession session, CancellationToken cancellation) => Task.CompletedTask;

    /// <summary>The session with a server that stands by, and is to have the items, too. Null: none.</summary>
    /// <param name="current">That has them now; it keeps them while it is as good as the others.</param>
    IUpstreamSession? StandbyFor(IUpstreamSession? current) => null;

    /// <summary>So many items sample along on that session: its server is the first to take over.</summary>
    /// <param name="session">Null: none.</param>
    /// <param name="items">On it.</param>
    void TellStandby(IUpstreamSession? session, int items)
    {
    }

    /// <summary>The session with the server in use was there, and of no use: another server is tried first.</summary>
    void TellUnusable(Exception why)
    {
    }

    /// <summary>Ends a session that another one has replaced already.</summary>
    ValueTask EndBesideAsync(IUpstreamSession session) => session.DisposeAsync();

    /// <summary>Closes all sessions that nobody uses.</summary>
    ValueTask CloseAsync() => default;
}
