namespace Gateway.Transport.Certificates;

/// <summary>The demands of a security policy on the keys in a chain (R33).</summary>
public interface ICertificateKeyRule
{
    int MinimumRsaKeyBits { get; }

    int MaximumRsaKeyBits { get; }
}
