using System.Security.Cryptography.X509Certificates;

namespace Gateway.Transport.Tests.Certificates;

/// <summary>A certificate to be made; the defaults are those of a good client.</summary>
internal sealed record TestRecipe
{
    public const string ApplicationUri = "urn:test:client";

    public string Subject { get; init; } = "CN=client";

    public string Uri { get; init; } = ApplicationUri;

    public int KeyBits { get; init; } = 2048;

    public string Hash { get; init; } = "SHA256";

    public DateTimeOffset NotBefore { get; init; } = new(2025, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public DateTimeOffset NotAfter { get; init; } = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public X509KeyUsageFlags? KeyUsage { get; init; } =
        X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.NonRepudiation |
        X509KeyUsageFlags.KeyEncipherment | X509KeyUsageFlags.DataEncipherment;

    public string[] ExtendedKeyUsage { get; init; } = ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"];

    public bool HasCriticalExtension { get; init; }

    public bool IsAuthority { get; init; }

    public int? PathLength { get; init; }

    /// <summary>Keeps keys apart; keys are made once a run for each name and size.</summary>
    public string KeyName { get; init; } = "client";

    /// <summary>Valid wherever a test moves the wall clock to.</summary>
    public static TestRecipe ForDecades => new()
    {
        NotBefore = new(2000, 1, 1, 0, 0, 0, TimeSpan.Zero),
        NotAfter = new(2049, 1, 1, 0, 0, 0, TimeSpan.Zero),
    };

    public static TestRecipe Authority(string name) => new()
    {
        Subject = "CN=" + name,
        KeyName = name,
        Uri = "",
        IsAuthority = true,
        ExtendedKeyUsage = [],
        KeyUsage = X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign,
    };
}
