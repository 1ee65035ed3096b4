using System.Collections.Concurrent;
using System.Net;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;

namespace Gateway.Tests.Trust;

/// <summary>Many applications in this process as clients of a gateway in it: one session each, signed and encrypted.
/// </summary>
internal sealed class Crowd(int port) : IDisposable
{
    private const int AtOnce = 32;

    private readonly UaClient _first = new(new ClientOptions { ConnectTimeout = Patience.Limit });
    private readonly ConcurrentDictionary<ApplicationCertificate, ClientSession> _sessions = new();

    public int Port => port;

    public string Url => $"opc.tcp://127.0.0.1:{port}";

    public async Task<IReadOnlyDictionary<ApplicationCertificate, ClientSession>> OpenAsync(
        IReadOnlyList<ApplicationCertificate> applications, ClientIdentity? user = null)
    {
        var policy = SecurityPolicies.Basic256Sha256.Uri;
        var endpoint = (await _first.GetEndpointsAsync(Url)).First(one =>
            one.SecurityPolicyUri == policy && one.SecurityMode == MessageSecurityMode.SignAndEncrypt);
        var settings = new ConnectSettings { EndpointUrl = Url, Identity = user ?? ClientIdentity.Anonymous };
        await Parallel.ForEachAsync(
            applications.Index(), new ParallelOptions { MaxDegreeOfParallelism = AtOnce }, async (one, cancellation) =>
            {
                var client = _first.With(OptionsOf(one.Item, one.Index));
                _sessions[one.Item] = await client.ConnectAsync(endpoint, settings, cancellation);
            });
        return _sessions;
    }

    public void Dispose()
    {
        foreach (var (certificate, session) in _sessions)
        {
            session.Abort();
            certificate.Dispose();
        }

        _first.Dispose();
    }

    /// <summary>Spread over addresses: it is no flood.</summary>
    private static ClientOptions OptionsOf(ApplicationCertificate certificate, int number) => new()
    {
        Certificate = certificate,
        CertificateValidator = new AnyServer(),
        LocalAddress = new IPAddress([127, 0, (byte)(3 + (number / 250)), (byte)(1 + (number % 250))]),
        ConnectTimeout = Patience.Limit,
        RequestTimeout = Patience.Limit,
        SessionTimeout = TimeSpan.FromHours(1),
    };
}
