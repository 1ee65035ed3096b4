using Gateway.Client;

namespace Gateway.Sources.OpcUa.Sessions;

internal sealed class ClientUpstreamConnection(UaClient client, ConnectSettings settings) : IUpstreamConnection
{
    public async ValueTask<IUpstreamSession> ConnectAsync(CancellationToken cancellation) =>
        new ClientUpstreamSession(await client.ConnectAsync(settings, cancellation).ConfigureAwait(false));
}
