namespace Gateway.Transport.Certificates;

/// <summary>What a security policy asks of the keys in a chain (R33).</summary>
public interface ICertificateKeyRule
{
    int MinimumRsaKeyBits { get; }

    int MaximumRsaKeyBits { get; }
}
