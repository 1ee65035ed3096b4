using Gateway.Operations.Work;

namespace Gateway.Rest.Access;

/// <summary>The turns of requests that are larger than one: half of the processors at one time, users in a circle, so
/// that searches do not take the machine from values (R44). Threads: any.</summary>
internal sealed class TurnLane(TimeProvider time)
{
    private readonly FairPlaces _places = new(Math.Max(1, Environment.ProcessorCount / 2));
    private long _refused;

    public TimeProvider Time { get; } = time;

    /// <summary>Operations that their request had no work left for.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Errors: OperationCanceledException.</summary>
    /// <param name="account">The key of the user.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async ValueTask EnterAsync(string account, CancellationToken cancellationToken)
    {
        await _places.EnterAsync(account, cancellationToken).ConfigureAwait(false);
        // Other work of the thread pool goes first: a request that is larger than a turn can wait.
        await Task.Yield();
    }

    /// <summary>The same for work that may be small: then it waits for nobody.</summary>
    public async ValueTask<TurnPlace> EnterAsync(bool isLarge, string account, CancellationToken cancellationToken)
    {
        if (!isLarge)
            return default;
        await EnterAsync(account, cancellationToken).ConfigureAwait(false);
        return new TurnPlace(this);
    }

    public void Leave() => _places.Leave();

    public void CountRefused() => Interlocked.Increment(ref _refused);
}
