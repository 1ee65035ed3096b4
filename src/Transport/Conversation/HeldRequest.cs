namespace Gateway.Transport.Conversation;

/// <summary>What the loop of a connection does while a request of it goes on elsewhere: the message counts for the
/// connection, and a hang-up ends the work.</summary>
internal sealed class HeldRequest(UaTcpConnection connection, IConnectionDoor? door, IUnfinishedRequest request) : IHangUpWatcher
{
    public async Task AwaitAsync()
    {
        connection.AddHeldBytes(request.HeldBytes);
        door?.Watch(this);
        if (connection.IsEnding)
            request.Leave();
        await request.Done.ConfigureAwait(false);
        door?.Watch(null);
        connection.AddHeldBytes(-request.HeldBytes);
    }

    public void OnHungUp() => request.Leave();
}
