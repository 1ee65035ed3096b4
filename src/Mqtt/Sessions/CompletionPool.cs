namespace Gateway.Mqtt.Sessions;

/// <summary>Pool size: <paramref name="capacity"/>, the publishes in flight and those that wait. Threads: any.
/// </summary>
internal sealed class CompletionPool(int capacity)
{
    private readonly Lock _lock = new();
    private readonly Stack<PublishCompletion> _idle = new();

    public PublishCompletion Rent()
    {
        lock (_lock)
        {
            if (_idle.TryPop(out var idle))
                return idle;
        }

        return new PublishCompletion(this);
    }

    public void Return(PublishCompletion completion)
    {
        lock (_lock)
        {
            if (_idle.Count < capacity)
                _idle.Push(completion);
        }
    }
}
