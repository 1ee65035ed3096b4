using Gateway.Client;

namespace Gateway.Sources.OpcUa.Sessions;

internal sealed class ClientUpstreamConnection(UaClient client, ConnectSettings settings) : IUpstreamConnection
{
    public async ValueTask<IUpstreamSession> ConnectAsync(CancellationToken cancellation) =>
        new ClientUpstreamSession(await client.ConnectAsync(settings, cancellation).ConfigureAwait(false));

    public async ValueTask<ResumedUpstream> ResumeAsync(IUpstreamSession lost, CancellationToken cancellation)
    {
        var resumed = await client.ResumeAsync(((ClientUpstreamSession)lost).Session, settings, cancellation)
            .ConfigureAwait(false);
        return new ResumedUpstream(new ClientUpstreamSession(resumed.Session), resumed.Kind);
    }
}
