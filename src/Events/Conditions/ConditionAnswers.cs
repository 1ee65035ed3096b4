using Gateway.Events.Model;

namespace Gateway.Events.Conditions;

/// <summary>Which caller gave which answer to a condition of an upstream. There the gateway is the user of all of them,
/// so the notification that an answer brings gets the caller's name here. It may come before the answer to the call or
/// after it. Owner: the <see cref="ConditionMirror"/>, under its lock. Source: Part 9 §5.5.2 (ClientUserId).</summary>
internal sealed class ConditionAnswers(TimeProvider time)
{
    /// <summary>For so long a notification is waited for.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>Of those that wait for their notification; the oldest goes. Each event is compared with all.</summary>
    private const int MaxWaiting = 1000;

    private readonly List<Answer> _open = [];

    public object Begin(ForwardedCall call)
    {
        _open.RemoveAll(one => one.EndedAt is { } ended && time.GetElapsedTime(ended) > Patience);
        if (_open.Count >= MaxWaiting && _open.FindIndex(static one => one.EndedAt is not null) is >= 0 and var oldest)
            _open.RemoveAt(oldest);
        var answer = new Answer(call);
        _open.Add(answer);
        return answer;
    }

    public void End(object answer, bool isGood)
    {
        var one = (Answer)answer;
        if (!isGood || one.IsSeen)
            _open.Remove(one);
        else
            one.EndedAt = time.GetTimestamp();
    }

    /// <summary>Null: no caller's, or nobody can say which of several.</summary>
    public string? UserOf(EventRecord record)
    {
        ForwardedCall? found = null;
        foreach (var one in _open)
        {
            if (!one.Call.ConditionId.Equals(record.Values[MirroredFields.ConditionId].AsNodeId()) ||
                !IsOf(one.Call, record))
                continue;
            if (found is not null && found.User != one.Call.User)
                return null;
            found = one.Call;
            one.IsSeen = true;
        }

        _open.RemoveAll(static one => one is { IsSeen: true, EndedAt: not null });
        return found?.User;
    }

    private static bool IsOf(ForwardedCall call, EventRecord record)
    {
        if (call.Comment is { Length: > 0 } comment)
            return record.Values[MirroredFields.Comment].AsLocalizedText().Text == comment;
        return (call.IsAcknowledge && record.Values[MirroredFields.Acked].AsBoolean()) ||
            (call.IsConfirm && record.Values[MirroredFields.Confirmed].AsBoolean());
    }

    private sealed class Answer(ForwardedCall call)
    {
        public ForwardedCall Call => call;

        /// <summary>Its notification has come.</summary>
        public bool IsSeen { get; set; }

        /// <summary>The upstream has done it; null: nobody knows yet.</summary>
        public long? EndedAt { get; set; }
    }
}
