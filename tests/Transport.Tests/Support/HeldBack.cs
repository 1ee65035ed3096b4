using Gateway.Transport.Conversation;

namespace Gateway.Transport.Tests.Support;

/// <summary>A request that goes on until the test says so.</summary>
internal sealed class HeldBack : IUnfinishedRequest
{
    public const int Bytes = 1000;

    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _awaited = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public bool EndsWhenLeft { get; init; }

    public bool WasLeft { get; private set; }

    /// <summary>The connection's loop has come to wait for it.</summary>
    public Task Awaited => _awaited.Task;

    public int HeldBytes => Bytes;

    public Task Done
    {
        get
        {
            _awaited.TrySetResult();
            return _done.Task;
        }
    }

    public void End() => _done.TrySetResult();

    public void Leave()
    {
        WasLeft = true;
        if (EndsWhenLeft)
            End();
    }
}
