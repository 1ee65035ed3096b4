namespace Gateway.Transport.Conversation;

/// <summary>A connection's loop uses it while one of its requests is processed elsewhere: the message counts for the
/// connection, and a hang-up ends the work.</summary>
internal sealed class HeldRequest(UaTcpConnection connection, IConnectionRole role, IUnfinishedRequest request)
    : IHangUpWatcher
{
    public async Task AwaitAsync()
    {
        connection.AddHeldBytes(request.HeldBytes);
        role.Watch(this);
        if (connection.IsEnding)
            request.Leave();
        await request.Done.ConfigureAwait(false);
        role.Watch(null);
        connection.AddHeldBytes(-request.HeldBytes);
    }

    public void OnHungUp() => request.Leave();
}
