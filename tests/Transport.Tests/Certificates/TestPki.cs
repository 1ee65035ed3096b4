using Gateway.Testing;
using Gateway.Transport.Certificates;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Tests.Certificates;

/// <summary>A PKI folder of its own under fake time (2026-01-01).</summary>
internal sealed class TestPki : IAsyncDisposable
{
    public TestPki(int maxRejected = 200)
    {
        Folder = Directory.CreateTempSubdirectory("pki-").FullName;
        Logs = new RecordedLogs();
        Loggers = LoggerFactory.Create(builder => builder.AddProvider(Logs));
        Store = new PkiStore(Folder, Time, Loggers, maxRejected);
    }

    public string Folder { get; }

    public ManualTimeProvider Time { get; } = new();

    public RecordedLogs Logs { get; }

    public ILoggerFactory Loggers { get; }

    public PkiStore Store { get; }

    public string RejectedFolder => Path.Combine(Folder, "rejected", "certs");

    public CertificateValidator Validator(CertificateValidatorOptions? options = null) => new(Store, options ?? new());

    public string Put(string folder, byte[] content, string name = "file.der")
    {
        var path = Path.Combine(Folder, folder, $"{Guid.NewGuid():N}-{name}");
        File.WriteAllBytes(path, content);
        return path;
    }

    /// <summary>What was refused until now lies in its folder.</summary>
    public ValueTask FinishWritingAsync() => Store.DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        await Store.DisposeAsync();
        Loggers.Dispose();
        Directory.Delete(Folder, recursive: true);
    }
}
