using System.Security.Cryptography;
using Gateway.Client;
using Gateway.Testing;
using Gateway.Transport.Certificates;

namespace Gateway.Tests.Trust;

/// <summary>A client with a certificate of its own that trusts each server.</summary>
internal sealed class TrustingClient : IDisposable
{
    private readonly ApplicationCertificate _own = Make();

    /// <param name="channelLifetime">Null: an hour.</param>
    public TrustingClient(TimeSpan? channelLifetime = null) => Ua = new UaClient(new ClientOptions
    {
        Certificate = _own,
        CertificateValidator = new AnyServer(),
        ConnectTimeout = Patience.Limit,
        RequestTimeout = Patience.Limit,
        ChannelLifetime = channelLifetime ?? TimeSpan.FromHours(1),
    });

    public UaClient Ua { get; }

    public void Dispose()
    {
        Ua.Dispose();
        _own.Dispose();
    }

    private static ApplicationCertificate Make()
    {
        using var key = RSA.Create(2048);
        return new ApplicationCertificate(
            SelfSigned.Make(key, "urn:test:client", TimeProvider.System.GetUtcNow().AddDays(-1)));
    }
}
