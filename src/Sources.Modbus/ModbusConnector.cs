using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.Connections;
using Gateway.Sources.Modbus.Connections;
using Gateway.Sources.Modbus.Health;
using Gateway.Sources.Modbus.Options;
using Gateway.Sources.Modbus.Protocol;
using Gateway.Sources.Modbus.Values;
using Gateway.Sources.Upstreams;
using Microsoft.Extensions.Logging;
using Polly;

namespace Gateway.Sources.Modbus;

/// <summary>One device: its nodes, and the loop that connects to it for as long as the gateway runs.</summary>
internal sealed partial class ModbusConnector : IAsyncDisposable
{
    /// <summary>An idle device is asked so often whether it is still there.</summary>
    public static readonly TimeSpan ProbeInterval = TimeSpan.FromSeconds(10);

    /// <summary>A device that connects and fails at once is not asked in a tight loop.</summary>
    public static readonly TimeSpan MinimumStay = TimeSpan.FromSeconds(5);

    /// <summary>After these, each <see cref="AttemptsALine"/>th failure has a line.</summary>
    private const int FirstAttempts = 3;

    private const int AttemptsALine = 30;

    private readonly ModbusOptions _options;
    private readonly TcpDial _dial;
    private readonly SourceDriverContext _gateway;
    private readonly ModbusMetrics _metrics;
    private readonly ModbusHealth _health;
    private readonly ResiliencePipeline _connect;
    private readonly CancellationTokenSource _stop = new();
    private readonly ILogger _log;
    private readonly List<NodeHandle> _nodes = [];
    private Task _loop = Task.CompletedTask;

    public ModbusConnector(ModbusOptions options, TcpDial dial, SourceDriverContext gateway)
    {
        (_options, _dial, _gateway) = (options, dial, gateway);
        _log = gateway.Loggers.CreateLogger<ModbusConnector>();
        _metrics = new ModbusMetrics(options.Name);
        _health = new ModbusHealth(options, _metrics, gateway.Time);
        _connect = ConnectPipeline.Make(gateway.Time, static _ => null, OnConnectFailed);
        Source = new ModbusSource(options, _metrics, _health, gateway.Time);
    }

    public ModbusSource Source { get; }

    public string Name => _options.Name;

    public UpstreamReport Report =>
        _health.Report(Source.Tags.Count(tag => !tag.Node.IsNone && _gateway.Values.IsWatched(tag.Node)));

    public bool IsConfiguredAs(ModbusOptions options) => _options.IsSame(options);

    /// <summary>Its root and a variable for each tag.</summary>
    public void AddNodes()
    {
        var root = UpstreamRoots.Add(_gateway.Nodes, Name);
        var index = _gateway.Nodes.Namespaces.GetOrAdd(ModbusDriver.NamespaceUri);
        var batch = new NodeBatch();
        foreach (var served in Source.Tags)
            batch.AddVariable(
                IdOf(served.Tag, index), new QualifiedName(served.Tag.Name, index), FactsOf(served.Tag), Source, root);
        _gateway.Nodes.Apply(batch);
        foreach (var served in Source.Tags)
            _nodes.Add(served.Node = _gateway.Nodes.Find(IdOf(served.Tag, index)));
        _nodes.Add(_gateway.Nodes.Find(root));
        Source.Bind();
    }

    /// <summary>Of one that has ended and does not come back.</summary>
    public void RemoveNodes()
    {
        var batch = new NodeBatch();
        foreach (var node in _nodes)
            batch.Remove(node);
        _gateway.Nodes.Apply(batch);
        _nodes.Clear();
    }

    public void Start() => _loop = Task.Run(RunAsync);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _loop.ConfigureAwait(false);
        _stop.Dispose();
    }

    private NodeId IdOf(ModbusTag tag, ushort index) => new($"{Name}/{tag.Name}", index);

    private VariableFacts FactsOf(ModbusTag tag) => new(
        TagTypes.DataTypeOf(tag),
        AccessLevel: tag.Writable
            ? AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite
            : AccessLevelExType.CurrentRead,
        MinimumSamplingInterval: _options.PollIntervalMs);

    private async Task RunAsync()
    {
        try
        {
            while (true)
            {
                var connection = await _connect.ExecuteAsync(EstablishAsync, _stop.Token).ConfigureAwait(false);
                var since = _gateway.Time.GetTimestamp();
                await ServeAsync(connection).ConfigureAwait(false);
                if (_gateway.Time.GetElapsedTime(since) < MinimumStay)
                    await Task.Delay(MinimumStay, _gateway.Time, _stop.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // Stopped.
        }
    }

    /// <summary>Something that listens is not yet a device: it has to answer.</summary>
    private async ValueTask<ModbusConnection> EstablishAsync(CancellationToken cancellation)
    {
        var stream = await _dial(_options.Host, _options.Port, cancellation).ConfigureAwait(false);
        var connection = new ModbusConnection(
            stream, TimeSpan.FromMilliseconds(_options.RequestTimeoutMs), _gateway.Time);
        try
        {
            await Source.ProbeAsync(connection, cancellation).ConfigureAwait(false);
            return connection;
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async ValueTask ServeAsync(ModbusConnection connection)
    {
        await using (connection.ConfigureAwait(false))
        {
            _metrics.Connected();
            _health.Connected();
            Connected(Name, _options.EndpointUrl, Source.Tags.Count);
            Source.Connection = connection;
            try
            {
                while (!connection.Closed.IsCompleted)
                {
                    await WaitAsync(connection).ConfigureAwait(false);
                    if (!connection.Closed.IsCompleted && connection.Silence >= ProbeInterval)
                        await ProbeAsync(connection).ConfigureAwait(false);
                }
            }
            finally
            {
                Source.Connection = null;
            }

            var failure = ModbusFailure.Of(await connection.Closed.ConfigureAwait(false));
            _health.Failed(failure);
            Disconnected(Name, failure.Text);
        }
    }

    /// <summary>For the end of the connection, or for the next look at it.</summary>
    private async ValueTask WaitAsync(ModbusConnection connection)
    {
        using var waited = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        var delay = Task.Delay(ProbeInterval, _gateway.Time, waited.Token);
        await Task.WhenAny(connection.Closed, delay).ConfigureAwait(false);
        await waited.CancelAsync().ConfigureAwait(false);
        _stop.Token.ThrowIfCancellationRequested();
    }

    private async ValueTask ProbeAsync(ModbusConnection connection)
    {
        try
        {
            await Source.ProbeAsync(connection, _stop.Token).ConfigureAwait(false);
        }
        catch (ModbusException)
        {
            // The connection knows, and ends where it has to.
        }
    }

    private void OnConnectFailed(int attempt, TimeSpan delay, Exception exception)
    {
        _metrics.ConnectFailed();
        var failure = ModbusFailure.Of(exception);
        _health.Failed(failure);
        if (attempt < FirstAttempts || (attempt + 1) % AttemptsALine == 0)
            ConnectFailed(
                Name, _options.EndpointUrl, attempt + 1, delay.TotalSeconds, failure.Text, failure.Remedy);
    }

    [LoggerMessage(5620, LogLevel.Information, "Modbus device {Upstream} at {EndpointUrl} answers; {Tags} tags")]
    private partial void Connected(string upstream, string endpointUrl, int tags);

    [LoggerMessage(5621, LogLevel.Warning,
        "Modbus device {Upstream} is away; its nodes carry Bad_NoCommunication until it is back: {Reason}")]
    private partial void Disconnected(string upstream, string reason);

    [LoggerMessage(5622, LogLevel.Warning,
        "Modbus device {Upstream} at {EndpointUrl}: attempt {Attempt} failed ({Reason}), next in {Seconds:0.0} s. "
        + "{Remedy}")]
    private partial void ConnectFailed(
        string upstream, string endpointUrl, int attempt, double seconds, string reason, string remedy);
}
