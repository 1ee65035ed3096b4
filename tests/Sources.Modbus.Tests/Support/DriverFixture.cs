using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Sources.Modbus.Options;
using Gateway.Sources.Upstreams;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Sources.Modbus.Tests.Support;

/// <summary>A driver with one device, called <c>Boiler</c>.</summary>
internal sealed class DriverFixture : IAsyncDisposable
{
    private readonly SourceDriverContext _context;

    public DriverFixture(params ModbusTag[] tags)
        : this(Options(tags))
    {
    }

    public DriverFixture(ModbusOptions options)
    {
        var values = new ValueStore(Time);
        StandardNodes.Load(Nodes, values);
        _context = new SourceDriverContext(Nodes, values, Time, NullLoggerFactory.Instance);
        Driver = new ModbusDriver([options], _context, Device.DialAsync);
        Driver.Prepare();
    }

    public ManualTimeProvider Time { get; } = new();

    public NodeTable Nodes { get; } = new();

    public SimulatedDevice Device { get; } = new();

    public ModbusDriver Driver { get; }

    public UpstreamReport Report => (UpstreamReport)Driver.Report()[0];

    public static ModbusOptions Options(params ModbusTag[] tags) =>
        new() { Name = "Boiler", EndpointUrl = "modbus://boiler", Tags = tags };

    public NodeHandle Node(string tag) =>
        Nodes.Find(new NodeId($"Boiler/{tag}", Nodes.Namespaces.GetOrAdd(ModbusDriver.NamespaceUri)));

    /// <summary>Connects, and waits until it is.</summary>
    public async Task<DeviceEnd> StartAsync()
    {
        Driver.Start();
        var connection = await Device.ConnectionAsync().WaitAsync(Patience.Limit);
        await WaitForAsync(SourceState.Online);
        Device.Forget();
        return connection;
    }

    public Task WaitForAsync(SourceState state) => StepUntilAsync(() => Report.State == state, TimeSpan.Zero);

    /// <summary>Moves the time on as often as it takes.</summary>
    public async Task StepUntilAsync(Func<bool> holds, TimeSpan step)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(1));
        while (!holds())
        {
            Time.Advance(step);
            await look.WaitForNextTickAsync(patience.Token);
        }
    }

    public async Task<DataValue[]> ReadAsync(params string[] tags)
    {
        var results = new DataValue[tags.Length];
        await Source(tags[0]).ReadAsync(Array.ConvertAll(tags, Node), 0, results, CancellationToken.None)
            .AsTask().WaitAsync(Patience.Limit);
        return results;
    }

    public async Task<StatusCode[]> WriteAsync(params (string Tag, Variant Value)[] writes)
    {
        var results = new StatusCode[writes.Length];
        await Source(writes[0].Tag).WriteAsync(
            Array.ConvertAll(writes, one => new SourceWrite(Node(one.Tag), new DataValue(one.Value))), results,
            CancellationToken.None).AsTask().WaitAsync(Patience.Limit);
        return results;
    }

    public ValueTask DisposeAsync() => Driver.DisposeAsync();

    private INodeSource Source(string tag) => Nodes.SourceOf(Node(tag))!;
}
