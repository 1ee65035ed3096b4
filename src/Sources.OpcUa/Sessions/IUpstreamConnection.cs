namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>Opens sessions to one upstream; a fake in tests.</summary>
internal interface IUpstreamConnection
{
    ValueTask<IUpstreamSession> ConnectAsync(CancellationToken cancellation);
}
