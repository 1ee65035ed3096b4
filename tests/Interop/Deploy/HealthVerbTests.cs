using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Interop.Gateways;

namespace Gateway.Interop.Deploy;

/// <summary><c>health</c>, as containers ask it.</summary>
public sealed class HealthVerbTests : IDisposable
{
    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Health_OfAGatewayThatRunsAndEnds_IsGoodAndThenBad(bool isHttps)
    {
        string[] keys = isHttps ? Tls() : [];
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder, keys);
        string[] line = ["health", $"--Http:Port={gateway.HttpPort}", .. keys];

        (int code, string output, string error) = await Chart.GatewayAsync(line);
        Assert.True(code == 0, output + error);
        Assert.Equal("live", output.Trim());

        Assert.Equal(0, await gateway.StopAsync());
        (code, _, error) = await Chart.GatewayAsync(line);
        Assert.Equal(1, code);
        Assert.StartsWith("No answer: ", error, StringComparison.Ordinal);
    }

    private string[] Tls()
    {
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 certificate = new CertificateRequest("CN=gateway", key, HashAlgorithmName.SHA256)
            .CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
        (string file, string keyFile) = (Path.Combine(folder.Path, "tls.crt"), Path.Combine(folder.Path, "tls.key"));
        File.WriteAllText(file, certificate.ExportCertificatePem());
        File.WriteAllText(keyFile, key.ExportPkcs8PrivateKeyPem());
        return [$"--Http:Tls:CertificatePath={file}", $"--Http:Tls:KeyPath={keyFile}"];
    }
}
