using Gateway.Codec;
using Gateway.Events;

namespace Gateway.Publish;

/// <summary>
/// Checked numbers of the publish engine (R08, R09). Every one is finite and refuses with a counter
/// (<see cref="PublishCounters"/>). The names are the keys below <c>Limits:</c>.
/// </summary>
public sealed record PublishLimits
{
    public static PublishLimits Default { get; } = new();

    private PublishLimits? _next;

    /// <summary>All of them at one moment, for a request that needs limits which belong together: a reload changes each
    /// number here one by one, and this at one instant. Never changed itself.</summary>
    public PublishLimits Now =>
        Volatile.Read(ref _next) ?? Interlocked.CompareExchange(ref _next, this with { }, null) ?? _next;

    /// <summary><see cref="Now"/> is another one from now on.</summary>
    public void Follow(PublishLimits next) => Volatile.Write(ref _next, next);

    /// <summary>Shards, each with a thread and a timing wheel; 0 takes one a processor.</summary>
    [CopiedAtStart]
    public int PublishShards { get; init; }

    /// <summary>Subscriptions of all sessions, the detached ones among them: two for each of 12,000 sessions. The last
    /// sixth of each of the server's sums is not given to a certificate, user or address that has more than a sixth
    /// (R46).</summary>
    public int MaxSubscriptions { get; init; } = 24_000;

    /// <summary>Subscriptions of one session (the 2017 profile asks for 5).</summary>
    public int MaxSubscriptionsPerSession { get; init; } = 100;

    /// <summary>Subscriptions of one user, or of one anonymous client's certificate, the detached ones among them: as
    /// sessions, all of the server's unless configured.</summary>
    public int MaxSubscriptionsPerUser { get; init; } = 24_000;

    /// <summary>The same of one client certificate, whatever its users.</summary>
    public int MaxSubscriptionsPerCertificate { get; init; } = 24_000;

    /// <summary>The same of the sessions that one IP address created.</summary>
    public int MaxSubscriptionsPerAddress { get; init; } = 24_000;

    /// <summary>Monitored items of all sessions.</summary>
    public int MaxMonitoredItems { get; init; } = 5_000_000;

    public int MaxMonitoredItemsPerUser { get; init; } = 5_000_000;

    public int MaxMonitoredItemsPerCertificate { get; init; } = 5_000_000;

    public int MaxMonitoredItemsPerAddress { get; init; } = 5_000_000;

    /// <summary>Monitored items of all subscriptions of one session.</summary>
    public int MaxMonitoredItemsPerSession { get; init; } = 1_000_000;

    /// <summary>Monitored items of one subscription.</summary>
    public int MaxMonitoredItemsPerSubscription { get; init; } = 100_000;

    /// <summary>Items of one CreateMonitoredItems, DeleteMonitoredItems … request, advertised in OperationLimits.
    /// </summary>
    public int MaxMonitoredItemsPerCall { get; init; } = 10_000;

    /// <summary>Items that one item triggers, and that trigger one item (SetTriggering).</summary>
    public int MaxTriggeredItemsPerItem { get; init; } = 1_000;

    /// <summary>A requested queue size is revised down to this.</summary>
    public int MaxMonitoredItemsQueueSize { get; init; } = 1_000;

    /// <summary>The sum of the queue sizes of all items; beyond it a queue is revised to one entry.</summary>
    public long MaxQueuedValues { get; init; } = 20_000_000;

    public long MaxQueuedValuesPerUser { get; init; } = 20_000_000;

    public long MaxQueuedValuesPerCertificate { get; init; } = 20_000_000;

    public long MaxQueuedValuesPerAddress { get; init; } = 20_000_000;

    public long MaxQueuedValuesPerSession { get; init; } = 5_000_000;

    /// <summary>Memory of values from a KiB on that are held besides each node's current one: above it a queue drops
    /// older ones for each that comes, and an IndexRange of one is not cut out (Bad_OutOfMemory).</summary>
    [CopiedAtStart]
    public long MaxQueuedValueBytes { get; init; } = 256L * 1024 * 1024;

    /// <summary>Held Publish requests of one session; one more than its subscriptions at least. Beyond it the oldest is
    /// answered Bad_TooManyPublishRequests.</summary>
    public int MaxPublishRequestsPerSession { get; init; } = 128;

    /// <summary>Acknowledgements of one Publish request.</summary>
    public int MaxAcknowledgementsPerPublish { get; init; } = 10_000;

    /// <summary>Unacknowledged messages of one subscription; 0 takes twice
    /// <see cref="MaxPublishRequestsPerSession"/>, which is the fewest that Part 4 §5.14.1.2 allows.</summary>
    public int MaxRetransmissionMessages { get; init; }

    /// <summary>Bytes of them; the newest message is always kept.</summary>
    public int MaxRetransmissionBytesPerSubscription { get; init; } = 4 * 1024 * 1024;

    /// <summary>Bytes of the unacknowledged messages of all subscriptions; beyond it a subscription keeps its newest
    /// message only.</summary>
    public long MaxRetransmissionBytes { get; init; } = 512L * 1024 * 1024;

    /// <summary>Notifications of one PublishResponse when the client asks for no smaller number.</summary>
    public int MaxNotificationsPerPublish { get; init; } = 10_000;

    /// <summary>A PublishResponse is split where it reaches this, or what the peer accepts if that is less.</summary>
    public int MaxPublishResponseBytes { get; init; } = 1024 * 1024;

    public double MinPublishingIntervalMs { get; init; } = 10;

    public double MaxPublishingIntervalMs { get; init; } = 3_600_000;

    /// <summary>The fastest sampling besides 0, which reports every change.</summary>
    public double MinSamplingIntervalMs { get; init; } = 10;

    public double MaxSamplingIntervalMs { get; init; } = 3_600_000;

    /// <summary>The fastest sampling of a node that has to be polled, for which 0 stands too.</summary>
    public double MinPollingIntervalMs { get; init; } = 100;

    /// <summary>Polled nodes that are read in one go; further due nodes come after those, and are counted.
    /// </summary>
    [CopiedAtStart]
    public int MaxPollsPerTurn { get; init; } = 1_000;

    /// <summary>Keep-alive count when the client asks for 0.</summary>
    public uint DefaultKeepAliveCount { get; init; } = 10;

    /// <summary>The longest time between two keep-alives: bounds the keep-alive count.</summary>
    public double MaxKeepAliveIntervalMs { get; init; } = 3_600_000;

    /// <summary>A lifetime is never revised below this …</summary>
    public double MinSubscriptionLifetimeMs { get; init; } = 10_000;

    /// <summary>… nor above this, except to three keep-alive intervals (Part 4 §5.14.2).</summary>
    public double MaxSubscriptionLifetimeMs { get; init; } = 3_600_000;

    /// <summary>Durable subscriptions of all sessions, those without a session among them. The last sixth goes to
    /// clients that have few (R46).</summary>
    public int MaxDurableSubscriptions { get; init; } = 100;

    /// <summary>Monitored items of all durable subscriptions: the disk keeps their settings. The last sixth goes to
    /// clients that have few (R46).</summary>
    public int MaxDurableMonitoredItems { get; init; } = 100_000;

    /// <summary>In place of <see cref="MaxMonitoredItemsQueueSize"/> for an item of a durable subscription.</summary>
    public int MaxDurableQueueSize { get; init; } = 10_000;

    /// <summary>Queued values of all durable subscriptions, as they lie on disk: 37 bytes for a Double. Above it
    /// a queue drops values by its discard policy, as if it were full. The last sixth goes to clients that have few
    /// (R46).</summary>
    public long MaxDurableBytes { get; init; } = 64L * 1024 * 1024;

    /// <summary>The same of one durable subscription.</summary>
    public long MaxDurableBytesPerSubscription { get; init; } = 16L * 1024 * 1024;

    /// <summary>The longest time that a durable subscription lives without its client; also for one that asks for
    /// 0.</summary>
    public int MaxDurableLifetimeHours { get; init; } = 168;

    /// <summary>How often what has changed of durable subscriptions is written: what a process that is killed may
    /// lose.</summary>
    [CopiedAtStart]
    public TimeSpan DurableSaveInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Changes that wait for one shard; beyond it values coalesce.</summary>
    [CopiedAtStart]
    public int MaxPendingChangesPerShard { get; init; } = 64 * 1024;

    /// <summary>Events that wait for one shard; beyond it they are lost, and their items say so.</summary>
    [CopiedAtStart]
    public int MaxPendingEventsPerShard { get; init; } = 10_000;

    /// <summary>Distinct event filters of all clients, equal ones once: each event is held against each of them. The
    /// last sixth is not given to a client that has more than a sixth (R46).</summary>
    [CopiedAtStart]
    public int MaxEventFilters { get; init; } = 1_000;

    /// <summary>Steps of all event filters in a second: an element, an operand, a character that Like looks at, a
    /// select clause, or a part of a large value. The first 128 of each where clause for each event are free, and as
    /// many of its select clauses. Beyond it the items are told that they lose an event (R44).</summary>
    [CopiedAtStart]
    public long MaxEventFilterStepsPerSecond { get; init; } = 20_000_000;

    /// <summary>Select clauses of one event filter. Collectors of alarms ask for 149 fields.</summary>
    [CopiedAtStart]
    public int MaxEventSelectClauses { get; init; } = 1_000;

    /// <summary>Elements of the where clause of one event filter.</summary>
    [CopiedAtStart]
    public int MaxEventWhereElements { get; init; } = 1_000;

    /// <summary>Operands of one where clause, all elements together.</summary>
    [CopiedAtStart]
    public int MaxEventWhereOperands { get; init; } = 10_000;

    /// <summary>Bytes of one event filter as it is encoded; each distinct one is kept as long as an item uses it.
    /// </summary>
    [CopiedAtStart]
    public int MaxEventFilterBytes { get; init; } = 64 * 1024;

    /// <summary>Alarms that the gateway knows. Beyond it one that is over and answered makes room; without one the new
    /// alarm is refused and counted.</summary>
    [CopiedAtStart]
    public int MaxConditions { get; init; } = 10_000;

    /// <summary>Earlier states of one alarm that wait for their acknowledgement. Beyond it an acknowledgement of the
    /// present state counts for the earlier one.</summary>
    [CopiedAtStart]
    public int MaxBranchesPerCondition { get; init; } = 8;

    /// <summary>Of the text of a comment on an alarm, in UTF-8.</summary>
    [CopiedAtStart]
    public int MaxConditionCommentBytes { get; init; } = 1024;

    /// <summary>The longest shelving of an alarm: the property MaxTimeShelved.</summary>
    [CopiedAtStart]
    public TimeSpan MaxConditionShelving { get; init; } = TimeSpan.FromHours(24);

    /// <summary>The last changes of all alarms that GET /alarms has.</summary>
    [CopiedAtStart]
    public int MaxConditionHistory { get; init; } = 500;

    /// <summary>Refreshes of all subscriptions that are under way at one time; one a subscription.</summary>
    [CopiedAtStart]
    public int MaxConditionRefreshes { get; init; } = 10_000;

    internal ConditionLimits OfConditions() => new()
    {
        MaxConditions = MaxConditions,
        MaxBranchesPerCondition = MaxBranchesPerCondition,
        MaxConditionCommentBytes = MaxConditionCommentBytes,
        MaxConditionShelving = MaxConditionShelving,
        MaxConditionHistory = MaxConditionHistory,
        MaxConditionRefreshes = MaxConditionRefreshes,
    };

    internal EventHubLimits OfEvents() => new()
    {
        Filter = new EventFilterLimits
        {
            MaxEventSelectClauses = MaxEventSelectClauses,
            MaxEventWhereElements = MaxEventWhereElements,
            MaxEventWhereOperands = MaxEventWhereOperands,
            MaxEventFilterBytes = MaxEventFilterBytes,
        },
        MaxEventFilters = MaxEventFilters,
        MaxEventFilterStepsPerSecond = MaxEventFilterStepsPerSecond,
    };
}
