using System.Net;
using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Admission.Stages;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Conversation;

/// <summary>
/// The door of a connection whose transport offers none: Kestrel's sockets, a WebSocket, a pipe. The connection has its
/// buffers already and waits as a task. Its <c>ConnectionClosed</c> tells when the peer has gone. Owner: the
/// connection.
/// </summary>
internal sealed class AwaitedDoor(ConnectionContext connection, ConnectionDoor door)
    : DoorEntry((connection.RemoteEndPoint as IPEndPoint)?.Address ?? IPAddress.None), IConnectionDoor
{
    private readonly TaskCompletionSource<Decision> _decided =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    private ClientPass? _pass;
    private CancellationTokenRegistration _watch;

    /// <summary>The deadline for HEL runs while it waits: it began with the connection.</summary>
    public long WaitedSince => 0;

    public async ValueTask<ClientPass> AdmitAsync()
    {
        door.Arrive(this);
        var decision = await _decided.Task.ConfigureAwait(false);
        if (!decision.IsAdmitted)
            ConversationFault.Refused(decision, ChannelCloseReason.TooBusy, "refused at the door");
        return _pass!;
    }

    public override void LetIn(ClientPass pass)
    {
        _pass = pass;
        _decided.SetResult(Decision.Admit);
    }

    public override void Refuse(Decision decision) => _decided.SetResult(decision);

    /// <summary>A request of HTTP that carries it stays then.</summary>
    public void SetActiveSession(bool active) => connection.Features.Get<YieldingRequest>()?.Set(!active);

    /// <summary>Does not wait for a watcher that is being called: that one may be the caller.</summary>
    public void Watch(IHangUpWatcher? watcher)
    {
        _watch.Unregister();
        _watch = watcher is null
            ? default
            : connection.ConnectionClosed.UnsafeRegister(
                static waiting => ((IHangUpWatcher)waiting!).OnHungUp(), watcher);
    }
}
