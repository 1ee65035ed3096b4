using System.Security.Cryptography;
using Gateway.AddressSpace.Listening;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Events.Changes;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Publish.Durable;
using Gateway.Publish.Items;
using Gateway.Publish.Quotas;
using Gateway.Publish.Services;
using Gateway.Publish.Shards;
using Gateway.Publish.Streams;
using Gateway.Publish.Subscriptions;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.Publish;

/// <summary>
/// Subscriptions and their items on shards: a session belongs to one shard, a shard is one thread. Values come from the
/// <see cref="ValueStore"/>, messages leave by each session's <see cref="INotificationOutput"/>. Nothing runs before
/// <see cref="Start"/>; a test that does not call it turns the shards itself. Source: Part 4 §5.13, §5.14.
/// </summary>
public sealed partial class PublishEngine : IAsyncDisposable
{
    /// <summary>How late the time of a shelving may end.</summary>
    private static readonly TimeSpan ExpiryInterval = TimeSpan.FromSeconds(1);

    /// <summary>Changes of nodes, and of the meaning of values, within it are one event.</summary>
    private static readonly TimeSpan ModelChangeInterval = TimeSpan.FromSeconds(1);

    private readonly ILogger _logger;
    private readonly CancellationTokenSource _stopping = new();
    private readonly Thread[] _threads;
    private readonly IDisposable[] _registrations;
    private readonly ListenerList<Action<SessionOwner, uint>> _evictionListeners = new();
    private int _lastSession;
    // Not from 1 again after a restart: a client that comes back asks for the transfer of the id that it had, and would
    // get the new subscription of another one that was faster.
    private int _lastSubscription = RandomNumberGenerator.GetInt32(int.MaxValue);
    private readonly TimeProvider _time;
    private readonly ConditionMetrics _conditionMetrics;
    private readonly ModelChangeEvents _modelChanges;
    private readonly SemanticChangeEvents _semanticChanges;
    private ITimer? _expiry;
    private ITimer? _modelChangeTimer;
    private bool _started;

    public PublishEngine(
        NodeTable nodes,
        ValueStore store,
        PublishLimits limits,
        PlantLateness lateness,
        TimeProvider time,
        ILogger<PublishEngine> logger)
    {
        Limits = limits;
        Clock = new MonotonicClock(time);
        _logger = logger;
        _time = time;
        Counters = new PublishCounters(limits, lateness, store, new PublishFaultLog(
            LogSweepFailed, error => LogSourceFailed(FailureText.Of(error)), LogPollFailed));
        Quotas = new QuotaBook(limits, Counters);
        Sampler = new NodeSampler(nodes, store, limits, Clock, Counters, time);
        var rates = new SourceRates(nodes, Counters);
        var shards = limits.PublishShards > 0 ? limits.PublishShards : Environment.ProcessorCount;
        Shards = new Shard[Math.Min(shards, 32)];
        Events = new EventHub(nodes, store, new EventMaker(nodes, time), limits.OfEvents(), time);
        Conditions = new ConditionTable(Events, nodes, limits.OfConditions(), time);
        _semanticChanges = new SemanticChangeEvents(Events, nodes);
        for (var i = 0; i < Shards.Length; i++)
        {
            Shards[i] = new Shard(
                i, nodes, store, limits, Clock, Counters, Quotas, Subscriptions, Sampler, rates, Events,
                _semanticChanges);
        }

        _threads = new Thread[Shards.Length];
        RoomMaker = new RoomMaker(this);
        SubscriptionService = new SubscriptionService(this);
        var check = new ItemRequestCheck(nodes, store, Sampler, limits, Events);
        var start = new ItemStart(nodes, store, Clock, Counters);
        ItemStart = start;
        NodeFollower = new NodeFollower(Shards, start);
        _modelChanges = new ModelChangeEvents(Events, nodes);
        _registrations =
        [
            store.Listen(new SourceInterest(nodes, Counters)), nodes.Listen(NodeFollower), nodes.Listen(_modelChanges),
        ];
        MonitoredItemService = new MonitoredItemService(this, check, start);
        ItemChangeService = new ItemChangeService(this, MonitoredItemService, check, start);
        TransferService = new TransferService(this);
        StreamService = new StreamService(this);
        Counters.Observe(Shards, StreamService);
        Counters.Observe(Events);
        SessionMethodService = new SessionMethodService(Subscriptions);
        RefreshService = new RefreshService(Conditions, Events);
        _conditionMetrics = new ConditionMetrics(Conditions, () => RefreshService.Open);
        Durable = new DurableBook(limits);
        DurableService = new DurableService(this);
        PublishService = new PublishService(this);
        DiagnosticsService = new DiagnosticsService(Subscriptions);
        WatchService = new WatchService(nodes, Shards);
    }

    /// <summary>All durable subscriptions together: their number, their items, and the bytes of their queues on disk.
    /// </summary>
    public (int Subscriptions, int Items, long Bytes) DurableUse => (Durable.Count, Durable.Items, Durable.Bytes);

    /// <summary>Brings events to the items that watch for them.</summary>
    public EventHub Events { get; }

    /// <summary>The conditions that clients can refresh and answer.</summary>
    public ConditionTable Conditions { get; }

    /// <summary>Sessions of the process before, with their durable subscriptions.</summary>
    public RestoredSessions RestoredSessions { get; } = new();

    /// <summary>The limits in force; other parts take theirs from here.</summary>
    public PublishLimits Limits { get; }

    public PublishCounters Counters { get; }

    /// <summary>The numbers in <see cref="Limits"/> have changed: the caps follow. Holders keep what they have.
    /// </summary>
    public void FollowLimits() => Quotas.Follow();

    internal QuotaBook Quotas { get; }

    internal SubscriptionTable Subscriptions { get; } = new();

    internal DiagnosticsService DiagnosticsService { get; }

    internal WatchService WatchService { get; }

    internal MonotonicClock Clock { get; }

    internal Shard[] Shards { get; }

    internal NodeSampler Sampler { get; }

    internal NodeFollower NodeFollower { get; }

    internal ItemStart ItemStart { get; }

    internal SubscriptionService SubscriptionService { get; }

    internal MonitoredItemService MonitoredItemService { get; }

    internal ItemChangeService ItemChangeService { get; }

    internal PublishService PublishService { get; }

    internal RoomMaker RoomMaker { get; }

    internal TransferService TransferService { get; }

    internal SessionMethodService SessionMethodService { get; }

    internal RefreshService RefreshService { get; }

    internal StreamService StreamService { get; }

    internal DurableBook Durable { get; }

    internal DurableService DurableService { get; }

    public void Start()
    {
        if (_started)
            return;
        _started = true;
        _expiry = Contained.Every(_time, ExpiryInterval, Conditions.Expire, LogExpiryFailed);
        _modelChangeTimer = Contained.Every(_time, ModelChangeInterval, TellChanges, LogModelChangeFailed);
        for (var i = 0; i < Shards.Length; i++)
        {
            var shard = Shards[i];
            _threads[i] = new Thread(() => shard.Run(_stopping.Token)) { IsBackground = true, Name = $"publish-{i}" };
            _threads[i].Start();
        }
    }

    /// <summary>Sessions go round the shards.</summary>
    public PublishSession OpenSession(INotificationOutput output, IItemAccess access, SessionOwner owner) =>
        new(this, NextShard(), output, access, owner);

    /// <summary>For a consumer inside the process. A stream counts as a subscription, against the limits of its owner
    /// and of the server.</summary>
    /// <param name="access">Decides on what its user may watch.</param>
    /// <param name="owner">The owner of the stream.</param>
    /// <param name="options">How it is served.</param>
    /// <param name="status">Bad where null is returned: Bad_TooManySubscriptions.</param>
    public ValueStream? OpenStream(
        IItemAccess access, SessionOwner owner, StreamOptions options, out StatusCode status) =>
        StreamService.Open(NextShard(), access, owner, options, out status);

    /// <summary>All that are open now.</summary>
    public void CloseStreams(StatusCode reason) => StreamService.CloseAll(reason);

    /// <summary>The listener is called after a detached subscription made room for another, with its owner and its id.
    /// Called without a lock, until the result is disposed.</summary>
    public IDisposable ListenToEvictions(Action<SessionOwner, uint> listener) => _evictionListeners.Add(listener);

    /// <summary>Of every subscription, the detached ones (null SessionId) among them; each is read in a slice of its
    /// own. Source: Part 5 §12.15.</summary>
    public void ReadSubscriptionDiagnostics(List<SubscriptionDiagnosticsDataType> into) =>
        DiagnosticsService.ReadAll(into);

    /// <summary>How many different publishing intervals there are now; goes through all subscriptions, without a lock.
    /// </summary>
    public int CountPublishingIntervals() => DiagnosticsService.CountPublishingIntervals();

    /// <summary>Null when there is no such subscription.</summary>
    public SubscriptionDiagnosticsDataType? ReadSubscriptionDiagnostics(uint subscriptionId) =>
        DiagnosticsService.Read(subscriptionId);

    /// <summary>The next page of all subscriptions, those of streams among them; each is read in a slice of its own.
    /// </summary>
    /// <param name="from">0, or the result of the page before.</param>
    /// <param name="count">Subscriptions at most.</param>
    /// <param name="into">They are added to it.</param>
    /// <returns>Where the next page begins; -1: this was the last.</returns>
    public int ReadSubscriptions(int from, int count, List<SubscriptionReport> into) =>
        DiagnosticsService.ReadPage(from, count, into);

    /// <summary>Null where no session has such a subscription, or had it and left it behind.</summary>
    public SubscriptionReport? ReadSubscription(uint subscriptionId) => DiagnosticsService.Report(subscriptionId);

    /// <summary>The watchers of a node's value, and how they are served. Takes each shard's lock in slices.</summary>
    public WatchReport ReadWatchers(NodeHandle node) => WatchService.Read(node);

    /// <summary>Stops the loops; held requests are not answered any more.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_stopping.IsCancellationRequested)
            return;
        foreach (var registration in _registrations)
            registration.Dispose();
        if (_expiry is not null)
            await _expiry.DisposeAsync().ConfigureAwait(false);
        if (_modelChangeTimer is not null)
            await _modelChangeTimer.DisposeAsync().ConfigureAwait(false);
        CloseStreams(StatusCodes.BadServerHalted);
        await _stopping.CancelAsync().ConfigureAwait(false);
        foreach (var shard in Shards)
            shard.Wake();
        if (_started)
        {
            foreach (var thread in _threads)
                thread.Join();
        }

        Sampler.Dispose();
        foreach (var shard in Shards)
            shard.Dispose();
        Events.Dispose();
        Counters.Dispose();
        _conditionMetrics.Dispose();
        _stopping.Dispose();
    }

    internal void TellChanges()
    {
        _modelChanges.Tell();
        _semanticChanges.Tell();
    }

    internal void TellEvicted(SessionOwner owner, uint subscriptionId) => _evictionListeners.Tell(
        (owner, subscriptionId), static (listener, told) => listener(told.owner, told.subscriptionId));

    private Shard NextShard() => Shards[(uint)Interlocked.Increment(ref _lastSession) % (uint)Shards.Length];

    /// <summary>Never 0, nor that of a durable one of an earlier process.</summary>
    internal uint NextSubscriptionId()
    {
        uint id;
        do
            id = (uint)Interlocked.Increment(ref _lastSubscription);
        while (id == 0 || Subscriptions.Find(id) is not null);
        return id;
    }

    [LoggerMessage(
        EventId = 2001, Level = LogLevel.Error,
        Message = "Internal error while polling a node; polling goes on")]
    private partial void LogPollFailed(Exception error);

    [LoggerMessage(
        EventId = 2002, Level = LogLevel.Error,
        Message = "Internal error in a sweep; the gateway closes that session")]
    private partial void LogSweepFailed(Exception error);

    [LoggerMessage(
        EventId = 2003, Level = LogLevel.Warning,
        Message = "A polled node has no value because its source failed: {Failure}")]
    private partial void LogSourceFailed(string failure);

    [LoggerMessage(
        EventId = 2004, Level = LogLevel.Error,
        Message = "Internal error while shelvings of alarms ended; the next look comes in a second")]
    private partial void LogExpiryFailed(Exception error);

    [LoggerMessage(
        EventId = 2006, Level = LogLevel.Error,
        Message = "Internal error while telling of changed nodes; the next changes are told")]
    private partial void LogModelChangeFailed(Exception error);
}
