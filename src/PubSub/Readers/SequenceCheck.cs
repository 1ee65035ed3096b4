namespace Gateway.PubSub.Readers;

/// <summary>Tells new messages of a DataSetWriter from repeated ones, and counts missing ones. A publisher that starts
/// anew counts from the beginning: its message has an older number and a later time. Owner: a reader, under its lock.
/// Source: Part 14 §7.2.3.</summary>
internal sealed class SequenceCheck
{
    /// <summary>A message without a time that is that much older is of a publisher that started anew.</summary>
    private const uint Window = 1024;

    private uint? _last;
    private DateTime? _lastTime;
    private bool _isSilent;

    public long Repeats { get; private set; }

    public long Gaps { get; private set; }

    /// <summary>None has come for so long that the publisher may have started anew, whatever its clock says: the next
    /// message may be older than the last.</summary>
    public void Silence() => _isSilent = true;

    /// <summary>False: it has come before.</summary>
    /// <param name="number">Null: the message has none.</param>
    /// <param name="isNext">A keep-alive: the number is the next message's.</param>
    /// <param name="time">Of the message.</param>
    /// <param name="isWhole">None is missing since the last one; without numbers nobody knows.</param>
    /// <param name="isShort">The number has 16 bits.</param>
    public bool TryTake(uint? number, bool isNext, DateTime? time, out bool isWhole, bool isShort = false)
    {
        isWhole = number is not null;
        if (number is not { } given)
            return true;
        var own = isNext ? unchecked(given - 1) : given;
        if (isShort)
            own = unchecked((ushort)own);
        if (_last is { } last)
        {
            var step = isShort ? unchecked((short)(own - last)) : unchecked((int)(own - last));
            isWhole = step == (isNext ? 0 : 1);
            if (step < 0 || (step == 0 && !isNext))
            {
                var isAnew = time is { } at && _lastTime is { } before ? at > before : -(long)step > Window;
                if (!isAnew && (!_isSilent || step == 0))
                {
                    Repeats++;
                    return false;
                }
            }
            else if (!isWhole)
            {
                Gaps += isNext ? step : step - 1;
            }
        }

        (_last, _lastTime, _isSilent) = (own, time ?? _lastTime, false);
        return true;
    }
}
