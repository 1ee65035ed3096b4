using Gateway.Admission.Stages;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>A handshake step on the private-key lane. An awaiting caller continues on the lane's worker, at
/// once.</summary>
internal sealed class LaneWork(Action action) : PrivateKeyWork
{
    private readonly TaskCompletionSource<bool> _source = new();

    /// <summary>False: it was dropped. Errors: what the step threw.</summary>
    public Task<bool> Done => _source.Task;

    public override void Execute()
    {
        try
        {
            action();
        }
        catch (Exception e)
        {
            _source.SetException(e);
            return;
        }

        _source.SetResult(true);
    }

    public override void Drop(RefusalReason reason) => _source.SetResult(false);
}
