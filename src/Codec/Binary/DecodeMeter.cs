using Gateway.Codec.Pooling;

namespace Gateway.Codec.Binary;

/// <summary>
/// Counts the memory that the readers of one message make. The first bytes are free, so that a small message touches
/// nothing shared; more is taken from the <see cref="DecodeBudget"/> before it is allocated. Owner: the dispatcher of
/// the message, on one thread; <see cref="Return"/> gives everything back.
/// </summary>
public sealed class DecodeMeter
{
    /// <summary>Free of the budget: with a thread a core it adds up to nothing.</summary>
    public const int FreeBytes = 64 * 1024;

    private const int StepBytes = 1024 * 1024;

    [ThreadStatic]
    private static DecodeMeter? t_kept;

    private readonly DecodeBudget _budget;
    private IDecodeClient? _client;
    private DecodeHolders _holders;
    private long _covered = FreeBytes;
    private long _reserved;
    private long _largeBytes;

    private DecodeMeter(DecodeBudget budget) => _budget = budget;

    /// <summary>All that the message's readers have made, garbage included.</summary>
    public long UsedBytes { get; private set; }

    /// <summary>The budget of the process, not the message's own limit, was in the way.</summary>
    public bool WasRefused { get; private set; }

    /// <summary>One a thread is kept, taken out of its place while in use.</summary>
    /// <param name="budget">Of the process.</param>
    /// <param name="client">Null: the message counts for no holder.</param>
    public static DecodeMeter Rent(DecodeBudget budget, IDecodeClient? client)
    {
        var meter = t_kept;
        t_kept = null;
        if (meter is null || !ReferenceEquals(meter._budget, budget))
            meter = new DecodeMeter(budget);
        meter._client = client;
        return meter;
    }

    /// <summary>Gives everything back to the budget. The meter must not be used any more.</summary>
    public void Return()
    {
        if (_reserved > 0)
            _budget.Release(_reserved, _largeBytes, _holders);
        _client = null;
        _holders = default;
        _reserved = _largeBytes = UsedBytes = 0;
        _covered = FreeBytes;
        WasRefused = false;
        t_kept = this;
    }

    /// <summary>Charges memory that was made for the message's answer and is held with it. False: the process has no
    /// memory for it; it is counted until <see cref="Return"/> all the same.</summary>
    public bool TryHold(long bytes) => TryTake(bytes);

    internal bool TryTake(long bytes)
    {
        UsedBytes += bytes;
        if (UsedBytes > _covered && !TryCover())
            return false;
        if (bytes < UncollectedBytes.LargeObjectBytes)
            return true;
        if (!ByteArrays.Allows(bytes))
        {
            WasRefused = true;
            return false;
        }

        _largeBytes += bytes;
        return true;
    }

    private bool TryCover()
    {
        var wanted = Math.Max(StepBytes, UsedBytes - _covered);
        if (_reserved == 0 && _client is not null)
            _holders = _client.DecodeHolders;
        if (WasRefused || !_budget.TryReserve(wanted, _holders))
        {
            WasRefused = true;
            return false;
        }

        _reserved += wanted;
        _covered += wanted;
        return true;
    }
}
