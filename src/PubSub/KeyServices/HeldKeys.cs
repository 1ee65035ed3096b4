using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.KeyServices;

/// <summary>
/// The keys of one answer, and which of them is the current one as time goes by, on the monotonic clock: a jump of the
/// wall clock neither ends nor prolongs a key (R28). The key before the current one still opens messages, for at most
/// one lifetime. When the last one has ended there is none to send with. Threads: any.
/// </summary>
/// <param name="answer">The keys.</param>
/// <param name="before">The key before them, by an earlier answer; null: none.</param>
/// <param name="since">Timestamp of the answer.</param>
/// <param name="time">The clock.</param>
internal sealed class HeldKeys(SecurityKeysAnswer answer, SecurityKey? before, long since, TimeProvider time)
{
    /// <summary>Answers may say less, even nothing.</summary>
    private static readonly TimeSpan ShortestLifetime = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private int _index = -1;
    private SecurityKeySet? _set;

    public PubSubSecurityPolicy Policy => answer.Policy;

    private TimeSpan Lifetime => answer.Lifetime > ShortestLifetime ? answer.Lifetime : ShortestLifetime;

    /// <summary>Null: all have ended a lifetime ago.</summary>
    public SecurityKeySet? Current
    {
        get
        {
            var index = IndexNow;
            lock (_lock)
            {
                if (index != _index)
                    (_index, _set) = (index, index > answer.Keys.Count ? null : Make(index));
                return _set;
            }
        }
    }

    /// <summary>Of its keys: 0 is the first, their number says that all have ended.</summary>
    private int IndexNow
    {
        get
        {
            var beyond = time.GetElapsedTime(since) - answer.ToNext;
            return beyond < TimeSpan.Zero
                ? 0
                : (int)Math.Min(1 + (beyond.Ticks / Lifetime.Ticks), answer.Keys.Count + 1);
        }
    }

    private SecurityKeySet Make(int index)
    {
        var keys = new List<SecurityKey>();
        // A service that has lost its keys begins with the same numbers: the new keys count.
        if (index == 0 && before is not null && !Tokens.Contains(before.TokenId))
            keys.Add(before);
        for (var i = Math.Max(0, index - 1); i < answer.Keys.Count; i++)
        {
            // One that is not in use yet, or no longer, opens messages and seals none.
            var isCurrent = i == index;
            keys.Add(KeyOf(i, isCurrent || i < index && index < answer.Keys.Count ? default : DateTime.MaxValue));
        }

        return new SecurityKeySet(answer.Policy, keys);
    }

    /// <summary>The key that was in use before those of the next answer: late messages are sealed with it. Null: there
    /// is none.</summary>
    public SecurityKey? Before(SecurityKeysAnswer next)
    {
        var now = Math.Min(IndexNow, answer.Keys.Count - 1);
        if (answer.TokenOf(now) != next.FirstToken)
            return KeyOf(now, default);
        return now > 0 ? KeyOf(now - 1, default) : before;
    }

    private IEnumerable<uint> Tokens => Enumerable.Range(0, answer.Keys.Count).Select(answer.TokenOf);

    private SecurityKey KeyOf(int index, DateTime validFrom) =>
        new(answer.Policy, answer.TokenOf(index), answer.Keys[index], validFrom);
}
