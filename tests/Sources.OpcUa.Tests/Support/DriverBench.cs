using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Sources.OpcUa.Reverse;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using IPEndPoint = System.Net.IPEndPoint;

namespace Gateway.Sources.OpcUa.Tests.Support;

/// <summary>What a driver with real connections needs: a gateway's nodes, a PKI folder of its own, a certificate.
/// </summary>
internal sealed class DriverBench : IAsyncDisposable
{
    private readonly ValueStore _values = new(TimeProvider.System);
    private readonly TransportContext _transport =
        TransportContext.Standalone(new TransportLimits(), TimeProvider.System);

    public DriverBench()
    {
        Pki = new PkiStore(Folder, TimeProvider.System, NullLoggerFactory.Instance, 200);
        Certificate = new ApplicationCertificateStore(Pki).LoadOrCreate(new ApplicationCertificateOptions
        {
            ApplicationUri = "urn:test:gateway",
            ApplicationName = "Gateway",
            HostNames = ["localhost"],
        });
        StandardNodes.Load(Nodes, _values);
    }

    public string Folder { get; } = Directory.CreateTempSubdirectory("upstreams-").FullName;

    public SignallingLog Log { get; } = new();

    public NodeTable Nodes { get; } = new();

    public PkiStore Pki { get; }

    public ApplicationCertificate Certificate { get; }

    /// <summary>Prepared, and not started.</summary>
    public OpcUaDriver Make(UpstreamOptions[] upstreams, UpstreamLimits? limits = null, IPEndPoint? reverse = null)
    {
        var driver = new OpcUaDriver(
            upstreams, limits ?? UpstreamLimits.Default, new OwnCertificate(Certificate),
            new CertificateValidators(Pki, new PkiOptions(), new TransportLimits()), Pki, _transport, Folder,
            "Plant Gateway", new SourceDriverContext(Nodes, _values, TimeProvider.System, Log),
            UpstreamFixture.MakeConditions(Nodes, _values, TimeProvider.System), new ReverseConnectOptions(reverse));
        driver.Prepare();
        return driver;
    }

    public async ValueTask DisposeAsync()
    {
        _transport.Dispose();
        Certificate.Dispose();
        Log.Dispose();
        await Pki.DisposeAsync();
        Directory.Delete(Folder, recursive: true);
    }
}
