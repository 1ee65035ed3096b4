namespace Gateway.Transport.Conversation;

/// <summary>How sequence numbers follow each other. Source: Part 6 §6.7.2.4. Legacy (RSA policies): start below 1024;
/// past 4,294,966,271 the next may be anything below 1024. Otherwise: start at 0, the whole range.</summary>
internal static class SequenceNumber
{
    private const uint WrapFrom = uint.MaxValue - 1024;
    private const uint WrapBelow = 1024;

    public static uint First(bool legacy) => legacy ? 1u : 0u;

    public static uint Next(uint last, bool legacy)
    {
        if (legacy)
            return last >= WrapFrom ? 1u : last + 1;
        return unchecked(last + 1);
    }

    public static bool Follows(uint last, uint number, bool legacy)
    {
        if (legacy && last >= WrapFrom && number < WrapBelow)
            return true;
        return number == unchecked(last + 1) && (!legacy || last != uint.MaxValue);
    }
}
