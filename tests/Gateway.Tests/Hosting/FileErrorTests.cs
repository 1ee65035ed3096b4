using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Tests.Hosting;

/// <summary>A file that stops the start is told like a wrong value: key, full path, what is wrong.</summary>
public sealed class FileErrorTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;

    private string Pki => Path.Combine(_folder, "pki");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Start_OwnCertificateWithoutApplicationUri_KeyFileAndWhatToDo()
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

        var error = await ErrorAsync();

        Assert.StartsWith(
            $"Pki:Path: '{file}' cannot be used: it names no ApplicationUri.", error, StringComparison.Ordinal);
        Assert.DoesNotContain("Parameter", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Start_FileThatIsNoNodeSet_KeyFullPathAndLine()
    {
        var nodeSets = Directory.CreateDirectory(Path.Combine(_folder, "ns")).FullName;
        File.WriteAllText(Path.Combine(nodeSets, "bad.xml"), "<other/>");
        var relative = Path.GetRelativePath(Environment.CurrentDirectory, nodeSets);

        Assert.Equal(
            $"NodeSets:Path: {nodeSets}/bad.xml(1): is no UANodeSet", await ErrorAsync($"--NodeSets:Path={relative}"));
    }

    /// <summary>Without it one controller's NodeIds could become another's.</summary>
    [Fact]
    public async Task Start_NamespacesOfUpstreamsCannotBeRead_KeyAndFile()
    {
        var file = Path.Combine(Directory.CreateDirectory(Pki).FullName, "upstream-namespaces.json");
        File.WriteAllText(file, "?");

        Assert.StartsWith(
            $"Pki:Path: '{file}' says which upstream's nodes have which namespace, and cannot be read: ",
            await ErrorAsync("--Upstreams:0:Name=A", "--Upstreams:0:EndpointUrl=opc.tcp://127.0.0.1:1"),
            StringComparison.Ordinal);
    }

    private async Task<string> ErrorAsync(params string[] options) =>
        (await Assert.ThrowsAsync<InvalidOperationException>(() => StartAsync(options))).Message;

    private async Task StartAsync(string[] options)
    {
        await using var application = Composition.Build(
            [$"--Pki:Path={Pki}", "--Simulator:Enabled=false", .. options]);
        await application.StartAsync();
    }
}
