using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
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
    private readonly ReaderGroupMaker _groups = new(
        new ReaderParts(nodes, values, limits, time), structures, outputs);

    private volatile IReadOnlyList<ReaderConnection> _connections = [];
    private ReaderMetrics? _metrics;

    public IReadOnlyList<ReaderReport> ReadReaders() =>
        [.. _connections.SelectMany(static one => one.Readers).Select(static one => one.Report())];

    public IReadOnlyList<ReaderConnectionReport> ReadReaderConnections() =>
        [.. _connections.Select(static one => one.Report())];

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        nodes.Namespaces.ClaimsChanged += FollowClaims;
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

    public void Dispose()
    {
        nodes.Namespaces.ClaimsChanged -= FollowClaims;
        _metrics?.Dispose();
    }

    /// <summary>Moves to other options, also to the first ones. A reader whose options stay keeps its nodes and their
    /// values, and as long as the way to its connection stays it misses no message; the nodes of one that has gone go.
    /// A connection whose change fails stays as it was. One call at a time.</summary>
    /// <returns>Errors, each with its key.</returns>
    public async Task<IReadOnlyList<string>> ChangeAsync(PubSubOptions next)
    {
        var errors = new List<string>();
        var wanted = next.Connections.Select(static (one, i) => (Options: one, Key: $"PubSub:Connections:{i}"))
            .Where(static one => one.Options.ReaderGroups.Count > 0).ToList();
        // All that ends comes first: another connection may take a reader over, with the ids of its nodes.
        foreach (var known in _connections)
        {
            var its = wanted.Find(one => one.Options.Name == known.Options.Name).Options;
            foreach (var gone in known.Readers.Where(reader => its is null || !IsIn(its, reader)))
                gone.RemoveNodes();
            if (its is null)
                await EndAsync(known).ConfigureAwait(false);
        }

        foreach (var (one, key) in wanted)
            await ChangeAsync(one, key, errors).ConfigureAwait(false);
        _connections =
        [
            .. wanted.Select(one => _connections.FirstOrDefault(known => known.Options.Name == one.Options.Name))
                .OfType<ReaderConnection>(),
        ];
        return errors;
    }

    private void FollowClaims()
    {
        foreach (var connection in _connections)
            connection.FollowClaims();
    }

    private static bool IsIn(ConnectionOptions connection, DataSetReader reader) => connection.ReaderGroups.Any(
        group => group.Name == reader.Group && group.DataSetReaders.Contains(reader.Options));

    /// <summary>With the options before, if these cannot be used; where those cannot either, the connection ends.
    /// </summary>
    private async Task ChangeAsync(ConnectionOptions next, string key, List<string> errors)
    {
        var known = _connections.FirstOrDefault(one => one.Options.Name == next.Name);
        if (known is not null && SameOptions.IsSameForReaders(known.Options, next))
            return;
        foreach (var options in new[] { next, known?.Options }.OfType<ConnectionOptions>())
        {
            try
            {
                await MoveAsync(options, key, known).ConfigureAwait(false);
                return;
            }
            catch (InvalidOperationException error)
            {
                errors.Add(error.Message);
                known = _connections.FirstOrDefault(one => one.Options.Name == next.Name);
            }
        }

        if (known is not null)
            await EndAsync(known).ConfigureAwait(false);
    }

    /// <exception cref="InvalidOperationException">With the key, for people. The connection before goes on.</exception>
    private async Task MoveAsync(ConnectionOptions options, string key, ReaderConnection? known)
    {
        var isSameWay = known is not null && SameOptions.IsSameWayIn(known.Options, options);
        var before = known?.Groups ?? [];
        var groups = _groups.Make(options, key, before, keepsInputs: isSameWay);
        try
        {
            if (isSameWay)
            {
                known!.Change(options, groups);
                return;
            }

            var made = await MakeAsync(options, groups).ConfigureAwait(false);
            // Its readers' loop ends before another begins.
            if (known is not null)
                await RemoveAsync(known).ConfigureAwait(false);
            made.Start();
            _connections = [.. _connections, made];
        }
        catch (InvalidOperationException)
        {
            foreach (var group in groups.Except(before))
                group.Dispose();
            foreach (var reader in groups.SelectMany(static one => one.Readers)
                .Except(before.SelectMany(static one => one.Readers)))
                reader.RemoveNodes();
            throw;
        }
    }

    /// <exception cref="InvalidOperationException">The link takes no more groups.</exception>
    private async Task<ReaderConnection> MakeAsync(ConnectionOptions options, IReadOnlyList<ReaderGroup> groups)
    {
        var logger = loggers.CreateLogger($"Gateway.PubSub.{options.Name}.Readers");
        IReaderLink link = options.IsMqtt
            ? new BrokerLink(outputs.MakeReaderClient(options), options.TopicPrefix, logger)
            : ProbingLink.Over(
                new DatagramLink(DatagramAddress.Of(options.Url!, options), [], time, logger), options, outputs, time,
                logger);
        try
        {
            return new ReaderConnection(link, options, groups, time, logger);
        }
        catch (InvalidOperationException)
        {
            await link.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async Task EndAsync(ReaderConnection connection)
    {
        await RemoveAsync(connection).ConfigureAwait(false);
        foreach (var reader in connection.Readers)
            reader.RemoveNodes();
    }

    /// <summary>Out of the list first: one that has ended must never look as if it went on.</summary>
    private async Task RemoveAsync(ReaderConnection connection)
    {
        _connections = [.. _connections.Where(one => one != connection)];
        await connection.DisposeAsync().ConfigureAwait(false);
    }
}
