namespace Gateway.PubSub.Uadp.Security;

/// <summary>Remembers over a restart with which random parts a key has made nonces. Threads: any.</summary>
internal interface INonceRegister
{
    /// <summary>Remembered for good before this returns. False: the key has had it already.</summary>
    /// <param name="key">The key's fingerprint.</param>
    /// <param name="random">Of the nonces to come.</param>
    /// <exception cref="IOException">It cannot be remembered: no nonce may be made with it.</exception>
    bool TryReserve(string key, uint random);
}
