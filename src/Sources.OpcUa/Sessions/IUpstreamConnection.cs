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
}
