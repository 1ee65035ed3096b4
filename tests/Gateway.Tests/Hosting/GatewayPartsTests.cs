using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.Host;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Hosting;

/// <summary>What stops the parts from being built is told like a wrong value: key, full path, what is wrong.</summary>
public sealed class GatewayPartsTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;

    private string Pki => Path.Combine(_folder, "pki");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Parts_OwnCertificateWithoutApplicationUri_KeyFileAndWhatToDo()
    {
        var file = Path.Combine(Directory.CreateDirectory(Path.Combine(Pki, "own", "certs")).FullName, "own.der");
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=x", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using var certificate = request.CreateSelfSigned(
            DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(100));
        File.WriteAllBytes(file, certificate.RawData);
        File.WriteAllText(
            Path.Combine(Directory.CreateDirectory(Path.Combine(Pki, "own", "private")).FullName, "own.pem"),
            key.ExportPkcs8PrivateKeyPem());

        var error = Error();

        Assert.StartsWith(
            $"Pki:Path: '{file}' cannot be used: it names no ApplicationUri.", error, StringComparison.Ordinal);
        Assert.DoesNotContain("Parameter", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Parts_FileThatIsNoNodeSet_KeyFullPathAndLine()
    {
        var nodeSets = Directory.CreateDirectory(Path.Combine(_folder, "ns")).FullName;
        File.WriteAllText(Path.Combine(nodeSets, "bad.xml"), "<other/>");
        var relative = Path.GetRelativePath(Environment.CurrentDirectory, nodeSets);

        Assert.Equal(
            $"NodeSets:Path: {nodeSets}/bad.xml(1): is no UANodeSet", Error($"--NodeSets:Path={relative}"));
    }

    /// <summary>Without it one controller's NodeIds could become another's.</summary>
    [Fact]
    public void Parts_NamespacesOfUpstreamsCannotBeRead_KeyAndFile()
    {
        var file = Path.Combine(Directory.CreateDirectory(Pki).FullName, "upstream-namespaces.json");
        File.WriteAllText(file, "?");

        Assert.StartsWith(
            $"Pki:Path: '{file}' says which upstream's nodes have which namespace, and cannot be read: ",
            Error("--Upstreams:0:Name=A", "--Upstreams:0:EndpointUrl=opc.tcp://127.0.0.1:1"),
            StringComparison.Ordinal);
    }

    private string Error(params string[] options)
    {
        var settings = GatewaySettingsReader.TryRead(
            CommandLine.ReadConfiguration([$"--Pki:Path={Pki}", "--Simulator:Enabled=false", .. options]),
            out var errors);
        Assert.Empty(errors);
        return Assert.Throws<InvalidOperationException>(
            () => new GatewayParts(settings!, TimeProvider.System, NullLoggerFactory.Instance)).Message;
    }
}
