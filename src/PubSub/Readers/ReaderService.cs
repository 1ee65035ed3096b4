using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Mqtt;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.States;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Readers;

/// <summary>All DataSetReaders of the gateway. Their objects are there from the start, their fields as soon as the
/// metadata has come.</summary>
internal sealed class ReaderService(
    PubSubOptions options, PubSubLimits limits, NodeTable nodes, ValueStore values, TableStructures structures,
    OutputFactory outputs, TimeProvider time, ILoggerFactory loggers)
    : IHostedService, IReaderState
{
    private readonly List<ReaderConnection> _connections = [];

    public IReadOnlyList<ReaderReport> ReadReaders() => [.. _connections.SelectMany(static one => one.Report())];

    public Task StartAsync(CancellationToken cancellationToken)
    {
        foreach (var one in options.Connections.Where(static one => one.ReaderGroups.Count > 0))
        {
            var connection = Make(one);
            _connections.Add(connection);
            connection.Start();
        }

        return Task.CompletedTask;
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        foreach (var connection in _connections)
            await connection.DisposeAsync().ConfigureAwait(false);
    }

    private ReaderConnection Make(ConnectionOptions one)
    {
        var parts = new ReaderParts(nodes, values, limits, time);
        var readers = one.ReaderGroups.SelectMany(group => group.DataSetReaders.Select(
            reader => new DataSetReader(one.Name, group.Name, reader, parts))).ToList();
        var input = new JsonInput(new ReaderDirectory(readers), parts, structures);
        var client = new MqttClient(outputs.MakeReaderClient(one));
        return new ReaderConnection(
            client, one.TopicPrefix, readers, input, time,
            loggers.CreateLogger($"Gateway.PubSub.{one.Name}.Readers"));
    }
}
