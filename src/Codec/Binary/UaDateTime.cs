namespace Gateway.Codec.Binary;

/// <summary>DateTime on the wire: 100 ns since 1601-01-01 UTC. 0 and less is <see cref="DateTime.MinValue"/>,
/// anything from 9999-12-31 23:59:59 on is <see cref="DateTime.MaxValue"/> and is written as Int64.MaxValue.
/// Source: Part 6 §5.2.2.5.</summary>
public static class UaDateTime
{
    private const long Epoch = 504_911_232_000_000_000;
    private const long LastSecond = 3_155_378_975_990_000_000;

    public static DateTime FromWire(long value)
    {
        if (value <= 0)
            return DateTime.MinValue;
        if (value >= LastSecond - Epoch)
            return DateTime.MaxValue;
        return new DateTime(value + Epoch, DateTimeKind.Utc);
    }

    public static long ToWire(DateTime value)
    {
        var ticks = value.Ticks;
        if (ticks <= Epoch)
            return 0;
        return ticks >= LastSecond ? long.MaxValue : ticks - Epoch;
    }
}
