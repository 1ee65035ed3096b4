using Gateway.AddressSpace.Nodes;
using Gateway.Sources.Connections;
using Gateway.Sources.Modbus.Options;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.Modbus;

/// <summary>The driver <c>Modbus</c>, all configured Modbus TCP devices: one connection each. A device's tags hang
/// below <c>s=&lt;Name&gt;</c> of <c>urn:gateway:upstreams</c> and are <c>s=&lt;Name&gt;/&lt;tag&gt;</c> of
/// <see cref="NamespaceUri"/>.</summary>
public sealed class ModbusDriver : IUpstreamDriver<ModbusOptions>
{
    public const string DriverName = "Modbus";

    /// <summary>Of the key <c>Upstreams:N:Driver</c>.</summary>
    public const string Key = "modbus";

    public const string NamespaceUri = "urn:gateway:modbus";

    private readonly ModbusOptions[] _devices;
    private readonly SourceDriverContext _gateway;
    private readonly TcpDial _dial;
    private readonly SemaphoreSlim _applying = new(1);
    private volatile ModbusConnector[] _connectors = [];
    private bool _isDisposed;

    /// <param name="devices">Valid: see <see cref="ModbusOptions.Validate"/>.</param>
    /// <param name="gateway">The gateway's nodes and values.</param>
    /// <param name="dial">Connects to a device.</param>
    public ModbusDriver(ModbusOptions[] devices, SourceDriverContext gateway, TcpDial dial) =>
        (_devices, _gateway, _dial) = (devices, gateway, dial);

    public void Prepare() => _connectors = Array.ConvertAll(_devices, Make);

    public void Start()
    {
        foreach (var connector in _connectors)
            connector.Start();
    }

    /// <summary>Those that are configured as before go on untouched. One that has changed is another one: its nodes are
    /// new.</summary>
    public async Task ApplyAsync(ModbusOptions[] next)
    {
        await _applying.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_isDisposed)
                return;
            var before = _connectors;
            var kept = before.Where(one => Array.Exists(next, one.IsConfiguredAs)).ToList();
            _connectors = [.. kept];
            await Task.WhenAll(before.Except(kept).Select(EndAsync)).ConfigureAwait(false);
            var made = new List<ModbusConnector>();
            _connectors = Array.ConvertAll(next, options =>
            {
                if (kept.Find(one => one.IsConfiguredAs(options)) is { } known)
                    return known;
                made.Add(Make(options));
                return made[^1];
            });
            made.ForEach(static one => one.Start());
        }
        finally
        {
            _applying.Release();
        }
    }

    public IReadOnlyList<SourceReport> Report() =>
        Array.ConvertAll<ModbusConnector, SourceReport>(_connectors, static one => one.Report);

    public SourceTrace? Trace(NodeHandle node)
    {
        if (_gateway.Nodes.SourceOf(node) is not ModbusSource source ||
            Array.Find(_connectors, one => ReferenceEquals(one.Source, source)) is not { } connector)
            return null;
        return new SourceTrace(connector.Report)
        {
            IsWanted = _gateway.Values.IsWatched(node),
            SamplingMs = source.SamplingIntervalMs(node),
        };
    }

    public async ValueTask DisposeAsync()
    {
        await _applying.WaitAsync().ConfigureAwait(false);
        _isDisposed = true;
        await Task.WhenAll(Array.ConvertAll(_connectors, static one => one.DisposeAsync().AsTask()))
            .ConfigureAwait(false);
        _applying.Release();
    }

    private ModbusConnector Make(ModbusOptions options)
    {
        var connector = new ModbusConnector(options, _dial, _gateway);
        connector.AddNodes();
        return connector;
    }

    private static async Task EndAsync(ModbusConnector connector)
    {
        await connector.DisposeAsync().ConfigureAwait(false);
        connector.RemoveNodes();
    }
}
