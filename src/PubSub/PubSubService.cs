using System.Net.Sockets;
using Gateway.AddressSpace.Nodes;
using Gateway.Operations.Access;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Groups;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.States;
using Gateway.Server;
using Gateway.Store;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub;

/// <summary>All that the gateway publishes: data sets, connections, groups. It begins when sources have started and
/// ends before sessions do, so that the last changes still leave.</summary>
internal sealed partial class PubSubService(
    PubSubOptions options, PubSubLimits limits, GatewayServer server, NodeTable nodes, NodeAccess access,
    OutputFactory outputs, TimeProvider time, ILogger<PubSubService> logger)
    : IHostedLifecycleService, IPubSubState, IDisposable
{
    private static readonly TimeSpan LookInterval = TimeSpan.FromMilliseconds(500);

    private readonly Dictionary<string, PublishedDataSet> _dataSets = new(StringComparer.Ordinal);
    private readonly List<PubSubConnection> _connections = [];
    private readonly ILogger _logger = logger;
    private PubSubMetrics? _metrics;
    private ITimer? _looks;
    private int _isLooking;

    public string PublisherId => outputs.PublisherId;

    public IReadOnlyList<ConnectionReport> ReadConnections() => [.. _connections.Select(static one => one.Report())];

    public IReadOnlyList<DataSetReport> ReadDataSets() => [.. _dataSets.Values.Select(static one => one.Report())];

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _metrics = new PubSubMetrics(this);
        var resolver = new DataSetResolver(nodes, access, limits);
        var versions = new VersionFile(options.VersionsPath, _logger);
        foreach (var one in options.DataSets)
            _dataSets[one.Name] = new PublishedDataSet(
                one, resolver, nodes, PublisherCaller.OfDataSets, time, versions);
        for (var i = 0; i < options.Connections.Count; i++)
        {
            var one = options.Connections[i];
            if (one.WriterGroups.Count == 0 && one.ReaderGroups.Count > 0)
                continue;
            var output = MakeOutput(one, $"PubSub:Connections:{i}");
            var connection = new PubSubConnection(one, output);
            _connections.Add(connection);
            for (var j = 0; j < one.WriterGroups.Count; j++)
            {
                var caller = PublisherCaller.Of(one, one.WriterGroups[j]);
                AddGroup(
                    connection, one.WriterGroups[j],
                    new WriterGroupParts(server, caller, output, limits, time, _logger),
                    $"PubSub:Connections:{i}:WriterGroups:{j}");
            }

            connection.Start();
        }

        _looks = Contained.Every(time, LookInterval, FollowDataSets, LogFault);
        return Task.CompletedTask;
    }

    /// <exception cref="InvalidOperationException">With the key, for the person who starts the gateway.</exception>
    private void AddGroup(PubSubConnection connection, WriterGroupOptions group, WriterGroupParts parts, string key)
    {
        try
        {
            var status = connection.AddGroup(group, PublisherId, _dataSets, parts);
            if (status.IsBad)
                LogNoStream(group.Name, status);
        }
        catch (Exception error) when (error is FormatException or IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException($"{key}:KeysPath: '{group.KeysPath}': {error.Message}", error);
        }
    }

    /// <exception cref="InvalidOperationException">With the key, for the person who starts the gateway.</exception>
    private IConnectionOutput MakeOutput(ConnectionOptions one, string key)
    {
        try
        {
            return outputs.Make(one);
        }
        catch (StoreException error)
        {
            throw new InvalidOperationException($"{key}:StorePath: {error.Message}", error);
        }
        catch (SocketException error)
        {
            throw new InvalidOperationException(
                $"{key}:Address: '{one.Address}' cannot be used: {error.Message}", error);
        }
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        foreach (var connection in _connections)
            await connection.DisposeAsync().ConfigureAwait(false);
        foreach (var dataSet in _dataSets.Values)
            dataSet.Dispose();
        Dispose();
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose()
    {
        _looks?.Dispose();
        _metrics?.Dispose();
    }

    /// <summary>One look at a time, however long it takes.</summary>
    private void FollowDataSets()
    {
        if (Interlocked.Exchange(ref _isLooking, 1) != 0)
            return;
        try
        {
            foreach (var dataSet in _dataSets.Values)
                dataSet.Follow();
        }
        finally
        {
            Volatile.Write(ref _isLooking, 0);
        }
    }

    [LoggerMessage(2, LogLevel.Error, "PubSub: a fault of the gateway while it looked at data sets")]
    private partial void LogFault(Exception error);

    [LoggerMessage(1, LogLevel.Error, "PubSub: the group {Group} cannot watch anything: {Status}")]
    private partial void LogNoStream(string group, Codec.Types.StatusCode status);
}
