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
    : IHostedService, IReaderState, IDisposable
{
    private readonly ReaderParts _parts = new(nodes, values, limits, time);
    private volatile IReadOnlyList<ReaderConnection> _connections = [];
    private ReaderMetrics? _metrics;

    public IReadOnlyList<ReaderReport> ReadReaders() =>
        [.. _connections.SelectMany(static one => one.Readers).Select(static one => one.Report())];

    public IReadOnlyList<ReaderConnectionReport> ReadReaderConnections() =>
        [.. _connections.Select(static one => one.Report())];

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        var errors = await ChangeAsync(options).ConfigureAwait(false);
        if (errors.Count > 0)
            throw new InvalidOperationException(errors[0]);
        _metrics = new ReaderMetrics(this);
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        foreach (var connection in _connections)
            await connection.DisposeAsync().ConfigureAwait(false);
        Dispose();
    }

    public void Dispose() => _metrics?.Dispose();

    /// <summary>Moves to other options, also to the first ones. A reader whose options stay keeps its nodes and their
    /// values, also when others of its connection change; the nodes of one that has gone go. One call at a time.
    /// </summary>
    /// <returns>Errors, each with its key.</returns>
    public async Task<IReadOnlyList<string>> ChangeAsync(PubSubOptions next)
    {
        var before = _connections.ToDictionary(static one => one.Options.Name);
        var now = new List<ReaderConnection>();
        var errors = new List<string>();
        // First: a connection of another name may take its readers over.
        foreach (var gone in before.Values.Where(one => !next.Connections.Any(
            other => other.Name == one.Options.Name && other.ReaderGroups.Count > 0)))
        {
            await gone.DisposeAsync().ConfigureAwait(false);
            foreach (var reader in gone.Readers)
                reader.RemoveNodes();
        }

        foreach (var (one, i) in next.Connections.Select(static (one, i) => (one, i)))
        {
            if (one.ReaderGroups.Count == 0)
                continue;
            if (before.TryGetValue(one.Name, out var known) && SameOptions.IsSameForReaders(known.Options, one))
            {
                now.Add(known);
                continue;
            }

            var old = known?.Readers ?? [];
            // Its readers' loop ends before another begins.
            if (known is not null)
                await known.DisposeAsync().ConfigureAwait(false);
            var kept = old.Where(reader => IsIn(one, reader)).ToList();
            foreach (var reader in old.Except(kept))
                reader.RemoveNodes();
            if (MakeOrKeep(one, $"PubSub:Connections:{i}", kept, known?.Options, errors) is not { } connection)
                continue;
            connection.Start();
            now.Add(connection);
        }

        _connections = now;
        return errors;
    }

    private static bool IsIn(ConnectionOptions connection, DataSetReader reader) => connection.ReaderGroups.Any(
        group => group.Name == reader.Group && group.DataSetReaders.Contains(reader.Options));

    /// <summary>With the options before, if these cannot be used.</summary>
    private ReaderConnection? MakeOrKeep(
        ConnectionOptions one, string key, IReadOnlyList<DataSetReader> kept, ConnectionOptions? before,
        List<string> errors)
    {
        foreach (var options in new[] { one, before }.OfType<ConnectionOptions>())
        {
            var all = new List<DataSetReader>();
            var uadp = new List<UadpInput>();
            try
            {
                return Make(options, key, kept, all, uadp);
            }
            catch (InvalidOperationException error)
            {
                errors.Add(error.Message);
                foreach (var input in uadp)
                    input.Dispose();
                foreach (var reader in all.Except(kept))
                    reader.RemoveNodes();
            }
        }

        return null;
    }

    /// <exception cref="InvalidOperationException">With the key, for people.</exception>
    private ReaderConnection Make(
        ConnectionOptions one, string key, IReadOnlyList<DataSetReader> kept, List<DataSetReader> all,
        List<UadpInput> uadp)
    {
        var logger = loggers.CreateLogger($"Gateway.PubSub.{one.Name}.Readers");
        var inputs = new List<(string Publisher, bool IsJson, IReaderInput Input)>();
        for (var i = 0; i < one.ReaderGroups.Count; i++)
        {
            var group = one.ReaderGroups[i];
            var readers = group.DataSetReaders.Select(
                options => kept.FirstOrDefault(reader => reader.Group == group.Name && reader.Options == options) ??
                    new DataSetReader(one.Name, group.Name, options, _parts)).ToList();
            all.AddRange(readers);
            var json = new JsonInput(readers, _parts, structures);
            for (var j = 0; j < readers.Count; j++)
                TakeConfigured(readers[j], json, $"{key}:ReaderGroups:{i}:DataSetReaders:{j}");
            IReaderInput input = json;
            if (group.IsUadp)
                input = AddUadp(group, readers, one.IsMqtt, $"{key}:ReaderGroups:{i}");
            inputs.AddRange(readers.Select(reader => (reader.PublisherId, !group.IsUadp, input)));
        }

        IReaderLink link = one.IsMqtt
            ? new BrokerLink(new MqttClient(outputs.MakeReaderClient(one)), one.TopicPrefix, inputs, logger)
            : ProbingLink.Over(
                new DatagramLink(
                    one.Url!.DnsSafeHost, one.Url.Port < 0 ? OutputFactory.UdpPort : one.Url.Port, uadp, time, logger),
                one, all, outputs, time, logger);
        return new ReaderConnection(link, one, all, uadp, time, logger);

        UadpInput AddUadp(ReaderGroupOptions group, IReadOnlyList<DataSetReader> readers, bool isBroker, string at)
        {
            try
            {
                uadp.Add(new UadpInput(group, readers, _parts, outputs.KeysOf(group), isBroker));
                return uadp[^1];
            }
            catch (Exception error) when (error is FormatException or IOException or UnauthorizedAccessException)
            {
                throw new InvalidOperationException($"{at}:KeysPath: '{group.KeysPath}': {error.Message}", error);
            }
        }
    }

    /// <exception cref="InvalidOperationException">With the key, for people.</exception>
    private static void TakeConfigured(DataSetReader reader, JsonInput json, string key)
    {
        if (reader.Options.MetaDataPath is not { Length: > 0 } path || reader.MetaData is not null)
            return;
        try
        {
            if (!json.TryTakeMetaData(reader, File.ReadAllBytes(path)))
                throw new InvalidOperationException(
                    $"{key}:MetaDataPath: '{path}' holds no metadata message of this DataSetWriterId");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException($"{key}:MetaDataPath: {error.Message}", error);
        }
    }
}
