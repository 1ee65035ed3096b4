namespace Gateway.Mqtt.Sessions;

/// <summary>Pool size: <paramref name="capacity"/>, the publishes in flight and those that wait. Threads: any.
/// </summary>
/// <param name="capacity">Of idle ones.</param>
/// <param name="withdraw">Called where the caller of a publish cancels it.</param>
internal sealed class CompletionPool(int capacity, Action<PublishCompletion> withdraw)
{
    private readonly Lock _lock = new();
    private readonly Stack<PublishCompletion> _idle = new();

    /// <param name="startedAt">Timestamp of the publish.</param>
    public PublishCompletion Rent(long startedAt)
    {
        var completion = TryRent() ?? new PublishCompletion(this);
        completion.StartedAt = startedAt;
        return completion;
    }

    public void Return(PublishCompletion completion)
    {
        lock (_lock)
        {
            if (_idle.Count < capacity)
                _idle.Push(completion);
        }
    }

    public void Withdraw(PublishCompletion completion) => withdraw(completion);

    private PublishCompletion? TryRent()
    {
        lock (_lock)
            return _idle.TryPop(out var idle) ? idle : null;
    }
}
