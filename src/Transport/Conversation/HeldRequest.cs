using Gateway.Transport.Sockets;

namespace Gateway.Transport.Conversation;

/// <summary>What the loop of a connection does while a request of it goes on elsewhere: the message counts for the
/// connection, and a hang-up ends the work.</summary>
internal sealed class HeldRequest(UaTcpConnection connection, IUnfinishedRequest request) : IHangUpWatcher
{
    public async Task AwaitAsync()
    {
        var link = connection.Transport as SocketLink;
        connection.AddHeldBytes(request.HeldBytes);
        link?.Watch(this);
        if (connection.IsEnding)
            request.Leave();
        await request.Done.ConfigureAwait(false);
        link?.Watch(null);
        connection.AddHeldBytes(-request.HeldBytes);
    }

    public void OnHungUp() => request.Leave();
}
