namespace Gateway.PubSub.Uadp.Security;

/// <summary>Remembers over a restart which message numbers a key has had. Threads: any.</summary>
internal interface INonceRegister
{
    /// <summary>The first of <paramref name="count"/> numbers that the key has not had; from 1. They are taken for good
    /// before this returns. 0: the key has no such number left.</summary>
    /// <param name="key">The key's fingerprint.</param>
    /// <param name="count">How many.</param>
    /// <exception cref="IOException">It cannot be remembered: none of them may be used.</exception>
    uint Reserve(string key, uint count);
}
