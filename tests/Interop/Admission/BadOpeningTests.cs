using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Client;
using Gateway.Interop.BadInput;

namespace Gateway.Interop.Admission;

/// <summary>OPN that costs the sender nothing: garbage, chains without an end, ever other certificates. Each is
/// answered ERR and closed, files of the refused stay few (R11, R24), and a good client is served meanwhile.</summary>
public sealed class BadOpeningTests(BadOpeningTests.Fixture fixture) : IClassFixture<BadOpeningTests.Fixture>
{
    private const int Openings = 100;
    private const int MaxRejected = 20;
    private const int AtATime = 10;

    [Theory]
    [InlineData("noise")]
    [InlineData("chain of one certificate again and again")]
    [InlineData("chain beyond the limit")]
    [InlineData("certificate of noise")]
    [InlineData("another's certificate")]
    [InlineData("truncated")]
    public async Task Open_Bad_ErrAndEnd(string kind)
    {
        byte[] certificate = kind switch
        {
            "chain of one certificate again and again" => Repeat(fixture.Certificates[0], 10),
            "chain beyond the limit" => Repeat(fixture.Certificates[0], 30),
            "certificate of noise" => RandomNumberGenerator.GetBytes(900),
            _ => fixture.Certificates[0],
        };
        byte[] open = kind switch
        {
            "noise" => fixture.Opening.WithNoise(),
            "truncated" => Uacp.Frame("OPNF", fixture.Opening.With(certificate).AsSpan(8, 700).ToArray()),
            _ => fixture.Opening.With(certificate),
        };

        await AssertRefusedAsync(open);
        await fixture.Gateway.AssertServesAsync();
    }

    [Fact]
    public async Task Open_ManyBadCertificates_RejectedFolderStaysBounded()
    {
        await using ClientSession good = await fixture.Gateway.OpenAsync(fixture.Gateway.Good);
        Levels before = await fixture.Gateway.LevelsAsync(good);

        ParallelOptions options = new() { MaxDegreeOfParallelism = AtATime };
        await Parallel.ForEachAsync(fixture.Certificates, options,
            async (certificate, _) => await AssertRefusedAsync(fixture.Opening.With(certificate)));

        await fixture.Gateway.AssertServesAsync();
        string rejected = Path.Combine(fixture.Gateway.Process.Pki, "rejected", "certs");
        Assert.InRange(Directory.EnumerateFiles(rejected).Count(), 1, MaxRejected);
        await fixture.Gateway.AssertBackAsync(good, before);
    }

    private async Task AssertRefusedAsync(byte[] open)
    {
        using RawPeer peer =
            await RawPeer.ConnectAsync(fixture.Gateway.Process.Port, AdmissionGateway.AbuserAddress);
        await peer.SendAsync(Uacp.Hello(fixture.Gateway.Process.EndpointUrl));
        Assert.Equal("ACKF", RawPeer.Type(await peer.ReceiveAsync()));
        await peer.SendAsync(open);
        Assert.Equal("ERRF", RawPeer.Type(await peer.ReceiveAsync()));
        await peer.AssertEndedAsync();
    }

    private static byte[] Repeat(byte[] bytes, int times) =>
        [.. Enumerable.Repeat(bytes, times).SelectMany(one => one)];

    public sealed class Fixture : IAsyncLifetime
    {
        internal AdmissionGateway Gateway { get; private set; } = null!;

        internal RecordedOpening Opening { get; private set; } = null!;

        /// <summary>All of one key and all expired, so that <c>--demo</c> refuses them too.</summary>
        internal List<byte[]> Certificates { get; } = [];

        public async Task InitializeAsync()
        {
            Gateway = await AdmissionGateway.StartAsync(
                $"--Pki:MaxRejectedCertificates={MaxRejected}", "--Limits:LingerTime=00:00:00.100");
            Opening = await RecordedOpening.RecordAsync(
                Gateway.Client(AdmissionGateway.AbuserAddress), Gateway.Process.EndpointUrl);
            using RSA key = RSA.Create(2048);
            DateTimeOffset now = TimeProvider.System.GetUtcNow();
            for (int i = 0; i < Openings; i++)
            {
                CertificateRequest request =
                    new($"CN=bad {i}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
                using X509Certificate2 certificate = request.CreateSelfSigned(now.AddDays(-2), now.AddDays(-1));
                Certificates.Add(certificate.RawData);
            }
        }

        public async Task DisposeAsync() => await Gateway.DisposeAsync();
    }
}
