using Gateway.PubSub.Uadp.Discovery;

namespace Gateway.PubSub.Probes;

/// <summary>The answers that a publisher owes, and when each may leave: a question that waits already is dropped, and
/// the same answer comes at most once in the <see cref="PubSubLimits.PubSubProbePause"/>, whoever asks however often.
/// So probes make no flood of answers. Owner: the connection. Threads: any. Source: Part 14 §7.2.4.6.10.</summary>
internal sealed class ProbeDesk(PubSubLimits limits, TimeProvider time)
{
    private readonly Lock _lock = new();
    private readonly HashSet<Answer> _waiting = [];
    private readonly Dictionary<Answer, long> _sentAt = [];
    private long _secondSince = time.GetTimestamp();
    private int _inSecond;

    /// <summary>False: there are too many, this one is not looked at.</summary>
    public bool MayLook()
    {
        lock (_lock)
        {
            if (time.GetElapsedTime(_secondSince) >= TimeSpan.FromSeconds(1))
                (_secondSince, _inSecond) = (time.GetTimestamp(), 0);
            return ++_inSecond <= limits.MaxPubSubProbesPerSecond;
        }
    }

    /// <param name="answer">Of things that the publisher has: others would have no bound.</param>
    public void Owe(Answer answer)
    {
        lock (_lock)
            _waiting.Add(answer);
    }

    /// <summary>Those that may leave now.</summary>
    public IReadOnlyList<Answer> TakeDue()
    {
        lock (_lock)
        {
            var now = time.GetTimestamp();
            var due = _waiting.Where(
                one => !_sentAt.TryGetValue(one, out var at) || time.GetElapsedTime(at, now) >= limits.PubSubProbePause)
                .Take(limits.MaxPubSubProbeAnswers).ToList();
            foreach (var one in due)
                _sentAt[one] = now;
            _waiting.ExceptWith(due);
            return due;
        }
    }

    /// <summary>Its group has ended.</summary>
    public void Forget(string group)
    {
        lock (_lock)
        {
            _waiting.RemoveWhere(one => one.Group == group);
            foreach (var one in _sentAt.Keys.Where(one => one.Group == group).ToList())
                _sentAt.Remove(one);
        }
    }

    /// <param name="Type">Its content.</param>
    /// <param name="Group">Name; empty for the publisher's own.</param>
    /// <param name="Writer">0: one that the publisher does not have, or none.</param>
    internal readonly record struct Answer(UadpAnnouncementType Type, string Group, ushort Writer);
}
