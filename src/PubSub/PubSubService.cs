using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Groups;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Readers;
using Gateway.PubSub.Space;
using Gateway.PubSub.States;
using Gateway.Server;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub;

/// <summary>All that the gateway publishes: data sets, connections, groups. It begins when sources have started and
/// ends before sessions do, so that the last changes still leave. <see cref="ApplyAsync"/> takes other options over
/// meanwhile, those of the readers too.</summary>
public sealed partial class PubSubService : IHostedLifecycleService, IPubSubState, IDisposable
{
    private static readonly TimeSpan LookInterval = TimeSpan.FromMilliseconds(500);

    private readonly SemaphoreSlim _turn = new(1);
    private readonly PubSubLimits _limits;
    private readonly GatewayServer _server;
    private readonly NodeTable _nodes;
    private readonly NodeAccess _access;
    private readonly ValueStore _values;
    private readonly OutputFactory _outputs;
    private readonly ReaderService _readers;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private volatile Dictionary<string, PublishedDataSet> _dataSets = new(StringComparer.Ordinal);

    /// <summary>Those that groups use, whatever the options say: a connection whose change failed goes on with its
    /// own.</summary>
    private volatile IReadOnlyList<PublishedDataSet> _followed = [];
    private volatile IReadOnlyList<PubSubConnection> _connections = [];
    private DataSetResolver? _resolver;
    private VersionFile? _versions;
    private PubSubMetrics? _metrics;
    private PublishSubscribeNodes? _space;
    private ITimer? _looks;
    private int _isLooking;
    private bool _isEnded;

    internal PubSubService(
        PubSubOptions options, PubSubLimits limits, GatewayServer server, NodeTable nodes, NodeAccess access,
        ValueStore values, OutputFactory outputs, ReaderService readers, TimeProvider time,
        ILogger<PubSubService> logger)
    {
        _values = values;
        (Options, _limits, _server, _nodes, _access) = (options, limits, server, nodes, access);
        (_outputs, _readers, _time, _logger) = (outputs, readers, time, logger);
    }

    /// <summary>Those in force.</summary>
    public PubSubOptions Options { get; private set; }

    public string PublisherId => _outputs.PublisherId;

    public IReadOnlyList<ConnectionReport> ReadConnections(bool explainsGaps = false) =>
        [.. _connections.Select(one => one.Report(explainsGaps))];

    public IReadOnlyList<DataSetReport> ReadDataSets() => [.. _dataSets.Values.Select(static one => one.Report())];

    public IReadOnlyCollection<string> FindDataSets(NodeId node) =>
    [
        .. _dataSets.Values.Where(one => one.Layout.Fields.Any(field => field.Node == node))
            .Select(static one => one.Options.Name),
    ];

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        _metrics = new PubSubMetrics(this);
        _resolver = new DataSetResolver(_nodes, _access, _limits);
        _versions = new VersionFile(Options.VersionsPath, _logger);
        // Its namespace comes first: one more behind the first layout would change the versions of all data sets.
        _space = new PublishSubscribeNodes(_nodes, this, _readers, _time);
        var errors = await ChangeAsync(Options).ConfigureAwait(false);
        if (errors.Count > 0)
            throw new InvalidOperationException(errors[0]);
        _space.Follow(Options);
        _looks = Contained.Every(_time, LookInterval, FollowDataSets, LogFault);
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>
    /// Moves from the options in force to others, without a restart and without loss. Connections, groups and readers
    /// that stay as they are go on untouched. One that is replaced or ends hands its last changes to its store first;
    /// sequence numbers, versions of data sets and stores survive. A connection whose change fails stays as it was,
    /// and does not keep the others from theirs. PublisherId, NoncesPath, VersionsPath and KeyServices need a
    /// restart: they stay as they are (<see cref="PubSubOptions.NeedRestart"/>).
    /// </summary>
    /// <param name="options">Without errors (<see cref="PubSubOptions.Validate"/>).</param>
    /// <param name="cancellationToken">Looked at before the change begins; it then runs to its end.</param>
    /// <exception cref="InvalidOperationException">For people: each connection that stays as it was, with its key, and
    /// why. Also after the end.</exception>
    public async Task ApplyAsync(PubSubOptions options, CancellationToken cancellationToken)
    {
        var wrong = options.Validate("PubSub");
        if (wrong.Count > 0)
            throw new ArgumentException(string.Join("; ", wrong), nameof(options));
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (_isEnded)
                throw new InvalidOperationException("PubSub has ended");
            options = options with
            {
                PublisherId = Options.PublisherId,
                NoncesPath = Options.NoncesPath,
                VersionsPath = Options.VersionsPath,
                KeyServices = Options.KeyServices,
            };
            var errors = await ChangeAsync(options).ConfigureAwait(false);
            errors.AddRange(await _readers.ChangeAsync(options).ConfigureAwait(false));
            Options = options;
            _space?.Follow(options);
            LogApplied(options.Connections.Count, errors.Count);
            if (errors.Count > 0)
                throw new InvalidOperationException(string.Join('\n', errors));
        }
        finally
        {
            _turn.Release();
        }
    }

    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        try
        {
            _isEnded = true;
            foreach (var connection in _connections)
                await connection.DisposeAsync().ConfigureAwait(false);
            foreach (var dataSet in _followed)
                dataSet.Dispose();
        }
        finally
        {
            _turn.Release();
        }

        Dispose();
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose()
    {
        _looks?.Dispose();
        _metrics?.Dispose();
    }

    /// <returns>Errors, each with its key.</returns>
    private async Task<List<string>> ChangeAsync(PubSubOptions options)
    {
        var errors = new List<string>();
        var (before, followed) = (_dataSets, _followed);
        var dataSets = new Dictionary<string, PublishedDataSet>(StringComparer.Ordinal);
        foreach (var one in options.DataSets)
            dataSets[one.Name] = DataSetOf(one, before.GetValueOrDefault(one.Name));
        (_dataSets, _followed) = (dataSets, [.. followed.Union(dataSets.Values)]);
        var known = _connections.ToDictionary(static one => one.Options.Name);
        // First: another name may take the store over.
        foreach (var name in known.Keys.Except(options.Connections.Where(IsOut).Select(static one => one.Name)))
            await known[name].EndAsync(options.Connections.Where(IsOut)).ConfigureAwait(false);
        var now = new List<PubSubConnection>();
        for (var i = 0; i < options.Connections.Count; i++)
        {
            var one = options.Connections[i];
            if (!IsOut(one))
                continue;
            var isKnown = known.TryGetValue(one.Name, out var connection);
            connection ??= new PubSubConnection(_outputs, new WriterGroupParts(
                _server, PublisherId, _values, _limits, _time, _logger));
            if (await TryAsync(connection, one, i).ConfigureAwait(false) || isKnown)
                now.Add(connection);
        }

        _connections = now;
        var all = _followed;
        _followed =
        [
            .. now.SelectMany(static one => one.Groups).SelectMany(static group => group.DataSets)
                .Union(dataSets.Values),
        ];
        foreach (var dataSet in all.Except(_followed))
            dataSet.Dispose();
        return errors;

        async Task<bool> TryAsync(PubSubConnection connection, ConnectionOptions one, int index)
        {
            try
            {
                await connection.ApplyAsync(one, $"PubSub:Connections:{index}", dataSets).ConfigureAwait(false);
                return true;
            }
            catch (InvalidOperationException error)
            {
                errors.Add(error.Message);
                return false;
            }
        }
    }

    /// <summary>One that has readers alone is theirs.</summary>
    private static bool IsOut(ConnectionOptions one) => one.WriterGroups.Count > 0 || one.ReaderGroups.Count == 0;

    /// <summary>One whose options stay is the same object: its groups need not look at it.</summary>
    private PublishedDataSet DataSetOf(DataSetOptions options, PublishedDataSet? before) =>
        before is not null && SameOptions.IsSame(before.Options, options)
            ? before
            : new PublishedDataSet(
                options, _resolver!, _nodes, PublisherCaller.OfDataSets, _time, _versions, before?.Layout);

    /// <summary>One look at a time, however long it takes.</summary>
    private void FollowDataSets()
    {
        if (Interlocked.Exchange(ref _isLooking, 1) != 0)
            return;
        try
        {
            foreach (var dataSet in _followed)
                dataSet.Follow();
        }
        finally
        {
            Volatile.Write(ref _isLooking, 0);
        }
    }

    [LoggerMessage(6002, LogLevel.Error, "PubSub: a fault of the gateway while it looked at data sets")]
    private partial void LogFault(Exception error);

    [LoggerMessage(6003, LogLevel.Information,
        "PubSub: the configuration has changed: {Connections} connections, {Errors} of them stay as they were")]
    private partial void LogApplied(int connections, int errors);
}
