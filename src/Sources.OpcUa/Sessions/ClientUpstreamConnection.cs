using Gateway.Client;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>Thread: the connector's loop.</summary>
internal sealed class ClientUpstreamConnection(UaClient client, ConnectSettings settings) : IUpstreamConnection
{
    /// <summary>The upstream may have it still: nobody heard the answer to its activation.</summary>
    private ClientSession? _left;

    public async ValueTask<IUpstreamSession> ConnectAsync(CancellationToken cancellation) => new ClientUpstreamSession(
        await KeepingTrackAsync(
            () => client.ConnectAsync(settings, cancellation), cancellation).ConfigureAwait(false));

    public async ValueTask<ResumedUpstream> ResumeAsync(IUpstreamSession lost, CancellationToken cancellation)
    {
        var resumed = await KeepingTrackAsync(
            () => client.ResumeAsync(((ClientUpstreamSession)lost).Session, settings, cancellation), cancellation)
            .ConfigureAwait(false);
        return new ResumedUpstream(new ClientUpstreamSession(resumed.Session), resumed.Kind);
    }

    public ValueTask LeaveAsync(IUpstreamSession lost, CancellationToken cancellation) =>
        client.LeaveAsync(((ClientUpstreamSession)lost).Session, settings, cancellation);

    /// <summary>A small controller has few sessions: one that was left is closed before the next is made.</summary>
    private async ValueTask<T> KeepingTrackAsync<T>(Func<ValueTask<T>> connect, CancellationToken cancellation)
    {
        if (_left is { } left)
        {
            await client.LeaveAsync(left, settings, cancellation).ConfigureAwait(false);
            _left = null;
        }

        try
        {
            return await connect().ConfigureAwait(false);
        }
        catch (ServiceException failure) when (failure.Left is not null)
        {
            _left = failure.Left;
            throw;
        }
    }
}
