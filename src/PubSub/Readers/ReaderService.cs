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
    private readonly ReaderParts _parts = new(nodes, values, limits, time);
    private volatile IReadOnlyList<ReaderConnection> _connections = [];

    public IReadOnlyList<ReaderReport> ReadReaders() => [.. _connections.SelectMany(static one => one.Report())];

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        var errors = await ChangeAsync(options).ConfigureAwait(false);
        if (errors.Count > 0)
            throw new InvalidOperationException(errors[0]);
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        foreach (var connection in _connections)
            await connection.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Moves to other options, also to the first ones. A reader whose options stay keeps its nodes and their
    /// values, also when others of its connection change; the nodes of one that has gone go. One call at a time.
    /// </summary>
    /// <returns>Errors, each with its key.</returns>
    public async Task<IReadOnlyList<string>> ChangeAsync(PubSubOptions next)
    {
        var before = _connections.ToDictionary(static one => one.Options.Name);
        var now = new List<ReaderConnection>();
        var errors = new List<string>();
        foreach (var (one, i) in next.Connections.Select(static (one, i) => (one, i)))
        {
            if (one.ReaderGroups.Count == 0)
                continue;
            if (before.TryGetValue(one.Name, out var known) && SameOptions.IsSameForReaders(known.Options, one))
            {
                before.Remove(one.Name);
                now.Add(known);
                continue;
            }

            var old = known?.Readers ?? [];
            // Its readers' loop ends before another begins.
            if (known is not null)
                await known.DisposeAsync().ConfigureAwait(false);
            before.Remove(one.Name);
            var kept = old.Where(reader => IsIn(one, reader)).ToList();
            foreach (var reader in old.Except(kept))
                reader.RemoveNodes();
            var connection = Make(one, kept);
            connection.Start();
            now.Add(connection);
        }

        foreach (var gone in before.Values)
        {
            await gone.DisposeAsync().ConfigureAwait(false);
            foreach (var reader in gone.Readers)
                reader.RemoveNodes();
        }

        _connections = now;
        return errors;
    }

    private static bool IsIn(ConnectionOptions connection, DataSetReader reader) => connection.ReaderGroups.Any(
        group => group.Name == reader.Group && group.DataSetReaders.Contains(reader.Options));

    private ReaderConnection Make(ConnectionOptions one, IReadOnlyList<DataSetReader> kept)
    {
        var readers = one.ReaderGroups.SelectMany(group => group.DataSetReaders.Select(
            options => kept.FirstOrDefault(reader => reader.Group == group.Name && reader.Options == options) ??
                new DataSetReader(one.Name, group.Name, options, _parts))).ToList();
        var input = new JsonInput(new ReaderDirectory(readers), _parts, structures);
        var client = new MqttClient(outputs.MakeReaderClient(one));
        return new ReaderConnection(
            client, one, readers, input, time, loggers.CreateLogger($"Gateway.PubSub.{one.Name}.Readers"));
    }
}
