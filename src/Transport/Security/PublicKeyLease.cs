using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>A public key for the time of one check. Owner: the caller, which disposes it: a key that was made for it
/// goes, one of <see cref="PublicKeyCache"/> stays. One thread.</summary>
internal sealed class PublicKeyLease(RSA key, Action? remember) : IDisposable
{
    private bool _isShared = remember is null;

    public RSA Key => key;

    /// <summary>A signature by this key was right: the peer that named the certificate holds its key.</summary>
    public void Proven()
    {
        if (_isShared)
            return;
        remember!();
        _isShared = true;
    }

    public void Dispose()
    {
        if (!_isShared)
            key.Dispose();
    }
}
