using System.Security.Cryptography;
using Gateway.Client;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;

namespace Gateway.Tests.Trust;

/// <summary>A client with a certificate of its own that trusts each server.</summary>
internal sealed class TrustingClient : IDisposable
{
    private readonly ApplicationCertificate _own = Make();

    private readonly TransportContext _transport;

    /// <param name="time">Of its connections, whose tokens live for an hour.</param>
    public TrustingClient(TimeProvider? time = null)
    {
        _transport = TransportContext.Standalone(new TransportLimits(), time ?? TimeProvider.System);
        Ua = new UaClient(new ClientOptions
        {
            Certificate = _own,
            CertificateValidator = new AnyServer(),
            ConnectTimeout = Patience.Limit,
            RequestTimeout = Patience.Limit,
            ChannelLifetime = TimeSpan.FromHours(1),
            TransportContext = _transport,
        });
    }

    public UaClient Ua { get; }

    public void Dispose()
    {
        Ua.Dispose();
        _transport.Dispose();
        _own.Dispose();
    }

    private static ApplicationCertificate Make()
    {
        using var key = RSA.Create(2048);
        return new ApplicationCertificate(
            SelfSigned.Make(key, "urn:test:client", TimeProvider.System.GetUtcNow().AddDays(-1)));
    }
}
