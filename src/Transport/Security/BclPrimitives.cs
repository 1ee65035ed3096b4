using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>The same primitives by the base class library: the fallback, and what the other is held equal to.</summary>
internal sealed class BclPrimitives : SymmetricPrimitives
{
    private readonly IncrementalHash _hmac;
    private readonly Aes? _aes;
    private readonly byte[] _vector;
    private readonly bool _encrypt;

    public BclPrimitives(DerivedKeys keys, bool? encrypt)
    {
        _hmac = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, keys.SigningKey);
        _vector = keys.InitializationVector.ToArray();
        _encrypt = encrypt == true;
        if (encrypt is null)
            return;
        _aes = Aes.Create();
        _aes.SetKey(keys.EncryptionKey);
    }

    public override void ComputeMac(ReadOnlySpan<byte> data, Span<byte> mac)
    {
        _hmac.AppendData(data);
        _hmac.GetHashAndReset(mac);
    }

    public override void Transform(Span<byte> data)
    {
        if (_encrypt)
            _aes!.EncryptCbc(data, _vector, data, PaddingMode.None);
        else
            _aes!.DecryptCbc(data, _vector, data, PaddingMode.None);
    }

    protected override void Dispose(bool disposing)
    {
        if (!disposing)
            return;
        _hmac.Dispose();
        _aes?.Dispose();
        CryptographicOperations.ZeroMemory(_vector);
    }
}
