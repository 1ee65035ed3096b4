namespace Gateway.PubSub.Uadp.Security;

/// <summary>The sequence numbers that one publisher has used with one key: the highest, and which of the 64 below it
/// have come, so that datagrams may overtake each other but none counts twice. Source: Part 14 §7.2.3.</summary>
internal sealed class UadpReplayWindow
{
    private const int Width = 64;
    private const uint NewerBelow = 1u << 30;

    private uint _highest;
    private ulong _seen;

    public long LastUse { get; set; }

    /// <summary>The first number opens the window.</summary>
    public void Open(uint sequenceNumber) => (_highest, _seen) = (sequenceNumber, 1);

    /// <summary>It does not go on from the highest that came.</summary>
    public bool IsBehind(uint sequenceNumber) => unchecked((int)(sequenceNumber - _highest)) <= 0;

    /// <summary>False: it came before, is older than the window, or is too far ahead to be believed.</summary>
    public bool TryAccept(uint sequenceNumber)
    {
        var ahead = sequenceNumber - 1 - _highest;
        if (ahead < NewerBelow)
        {
            var shift = ahead + 1;
            _seen = shift >= Width ? 1 : (_seen << (int)shift) | 1;
            _highest = sequenceNumber;
            return true;
        }

        var behind = _highest - sequenceNumber;
        if (behind >= Width || (_seen >> (int)behind & 1) != 0)
            return false;
        _seen |= 1ul << (int)behind;
        return true;
    }
}
