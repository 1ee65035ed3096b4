using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>A handshake step on the private-key lane. Whoever awaits it continues on the lane's worker, at
/// once.</summary>
internal sealed class LaneWork(Action action) : IPrivateKeyWork
{
    private readonly TaskCompletionSource<bool> _source = new();

    /// <summary>False: it waited past the lane's deadline. Errors: what the step threw.</summary>
    public Task<bool> Done => _source.Task;

    public void Execute()
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

    public void Expire() => _source.SetResult(false);
}
