using Gateway.Host;
using Gateway.Host.Configuration;
using Gateway.Tests.Tls;

namespace Gateway.Tests.Configuration;

/// <summary>The section Http: HTTPS is whole or an error.</summary>
public sealed class HttpReaderTests : IDisposable
{
    private readonly PemFiles _files = new();

    public void Dispose() => _files.Dispose();

    [Fact]
    public void Read_Nothing_PlainHttpThatTakesNoSecretOfOthers()
    {
        var http = Read().Http;

        Assert.Equal(("http", null, false), (http.Scheme, http.Tls, http.AllowInsecureLogin));
    }

    [Fact]
    public void Read_CertificateAndKey_Https()
    {
        var options = Read(_files.Options);

        Assert.Empty(options.FindErrors());
        Assert.Equal("https", options.Http.Scheme);
    }

    [Fact]
    public void Read_HalfOfIt_ToldWithTheMissingKey()
    {
        Assert.StartsWith("Http:Tls:KeyPath: ", Assert.Single(Read(_files.Options[0]).FindErrors()));
        Assert.StartsWith("Http:Tls:CertificatePath: ", Assert.Single(Read(_files.Options[1]).FindErrors()));
    }

    [Fact]
    public void Read_FilesOfNoUse_ToldWithTheirKey()
    {
        File.WriteAllText(_files.KeyPath, "no key");
        Assert.StartsWith("Http:Tls:CertificatePath: ", Assert.Single(Read(_files.Options).FindErrors()));
        File.Delete(_files.KeyPath);
        Assert.StartsWith("Http:Tls:KeyPath: ", Assert.Single(Read(_files.Options).FindErrors()));
        File.Delete(_files.CertificatePath);
        Assert.StartsWith("Http:Tls:CertificatePath: ", Assert.Single(Read(_files.Options).FindErrors()));
    }

    [Theory]
    [InlineData("*")]
    [InlineData("https://*.plant.example")]
    [InlineData("hmi.plant.example")]
    [InlineData("https://hmi.plant.example/")]
    [InlineData("https://hmi.plant.example:443")]
    [InlineData("https://HMI.plant.example")]
    [InlineData("ftp://hmi.plant.example")]
    [InlineData("null")]
    public void Read_OriginThatNoBrowserSends_Error(string origin) => Assert.StartsWith(
        "Http:Cors:Origins: ", Assert.Single(Read($"--Http:Cors:Origins:0={origin}").FindErrors()),
        StringComparison.Ordinal);

    [Fact]
    public void Read_Origins_AsTheyAre() => Assert.Equal(
        ["https://hmi.plant.example", "http://localhost:5173"],
        Read("--Http:Cors:Origins=https://hmi.plant.example,http://localhost:5173").Http.CorsOrigins);

    private static GatewayOptions Read(params string[] options) =>
        new(new ConfigurationLayers(CommandLine.ReadConfiguration(options)));
}
