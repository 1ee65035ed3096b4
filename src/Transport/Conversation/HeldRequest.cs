namespace Gateway.Transport.Conversation;

/// <summary>What the loop of a connection does while a request of it goes on elsewhere: the message counts for the
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
