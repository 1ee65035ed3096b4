using System.Net;
using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Admission.Stages;

namespace Gateway.Transport.Conversation;

/// <summary>A connection of somebody else's transport at the door: it has its buffers already and waits as a task.
/// </summary>
internal sealed class AwaitedEntry(IPAddress address) : DoorEntry(address)
{
    private readonly TaskCompletionSource<Decision> _decided =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<Decision> Decided => _decided.Task;

    /// <summary>Null unless it was let in.</summary>
    public ClientPass? Pass { get; private set; }

    public override void LetIn(ClientPass pass)
    {
        Pass = pass;
        _decided.SetResult(Decision.Admit);
    }

    public override void Refuse(Decision decision) => _decided.SetResult(decision);
}
