namespace Gateway.Loadtest.Checks;

/// <summary>Sequence numbers of one subscription: 1, 2, 3 …, and 1 again after the largest (Part 4 §7.26).</summary>
internal struct SequenceCheck
{
    private uint _last;

    /// <summary>Places where numbers are missing.</summary>
    public long Gaps { get; private set; }

    /// <summary>Numbers that came before.</summary>
    public long Repeats { get; private set; }

    public void Add(uint sequenceNumber)
    {
        var next = _last == uint.MaxValue ? 1 : _last + 1;
        if (sequenceNumber == next)
        {
            _last = sequenceNumber;
        }
        else if ((int)(sequenceNumber - next) < 0)
        {
            Repeats++;
        }
        else
        {
            Gaps++;
            _last = sequenceNumber;
        }
    }
}
