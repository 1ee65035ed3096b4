using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>Of one process.</summary>
internal sealed class NonceRegister : INonceRegister
{
    /// <summary>Of the next block; 0: there is none.</summary>
    public uint First { get; set; } = 1;

    /// <summary>Null: it works.</summary>
    public string? Failure { get; set; }

    public uint Reserve(string key, uint count)
    {
        if (Failure is not null)
            throw new IOException(Failure);
        var first = First;
        First = first == 0 || first > uint.MaxValue - (2 * count) ? 0 : first + count;
        return first;
    }
}
