using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>Of one process.</summary>
internal sealed class NonceRegister : INonceRegister
{
    public List<uint> Asked { get; } = [];

    /// <summary>So many are taken already.</summary>
    public int Taken { get; init; }

    /// <summary>Null: it works.</summary>
    public string? Failure { get; set; }

    public bool TryReserve(string key, uint random)
    {
        if (Failure is not null)
            throw new IOException(Failure);
        Asked.Add(random);
        return Asked.Count > Taken;
    }
}
