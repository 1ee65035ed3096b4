using Gateway.Codec;

namespace Gateway.Sources.OpcUa;

/// <summary>
/// Limits on the cost of one upstream's answers: an answer is input like a request (R42). Each is a key
/// <c>Limits:*</c>, holds for each upstream by itself, and is finite; <see cref="UpstreamBound"/> names it where it
/// acts. Those of a browse end the browse: nothing of it is taken over, the nodes served before stay, and the upstream
/// is asked again after <see cref="UpstreamFaultPause"/>. The others leave out the excess.
/// </summary>
public sealed record UpstreamLimits
{
    public static UpstreamLimits Default { get; } = new();

    /// <summary>References that a browse of an upstream brings, repeated ones too. Ends the browse.</summary>
    public int MaxUpstreamReferences { get; init; } = 1_000_000;

    /// <summary>Memory of the nodes, names and attributes of a browse, estimated. Ends the browse.</summary>
    public long MaxUpstreamBrowseBytes { get; init; } = 256 * 1024 * 1024;

    /// <summary>BrowseNext requests for the references of one node. Ends the browse.</summary>
    public int MaxUpstreamBrowseRounds { get; init; } = 10_000;

    /// <summary>Answers in a row that bring a continuation point and no reference. Ends the browse.</summary>
    public int MaxUpstreamEmptyAnswers { get; init; } = 10;

    /// <summary>From the first Browse to the last attribute. Ends the browse.</summary>
    public TimeSpan MaxUpstreamBrowseTime { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>Types of its own (DataTypes and all others) that are served, and DataTypes whose supertypes are looked
    /// for; variables of others are BaseDataType.</summary>
    public int MaxUpstreamDataTypes { get; init; } = 10_000;

    /// <summary>Entries of its NamespaceArray that are read, and namespace indexes of the gateway that it takes over
    /// the life of the process. Nodes in others are left out.</summary>
    [CopiedAtStart]
    public int MaxUpstreamNamespaces { get; init; } = 1_000;

    /// <summary>Characters of a namespace URI, a browse name or a string identifier. Nodes with longer ones are left
    /// out; a longer display name or description is cut.</summary>
    public int MaxUpstreamTextLength { get; init; } = 4_096;

    /// <summary>The encoded value of InputArguments, OutputArguments or of a variable of a type. A longer one is read
    /// from the upstream each time instead of being kept.</summary>
    public int MaxUpstreamArgumentBytes { get; init; } = 64 * 1024;

    /// <summary>One notified value. A longer one becomes Bad_OutOfMemory; reading it still works.</summary>
    public int MaxUpstreamValueBytes { get; init; } = 4 * 1024 * 1024;

    /// <summary>The last values of all watched nodes of an upstream. Values above it become Bad_OutOfMemory.</summary>
    public long MaxUpstreamHeldBytes { get; init; } = 256 * 1024 * 1024;

    /// <summary>Memory that the answers to one Read or Call may hold, though each is as large as a message may be.
    /// Values above it become Bad_ResponseTooLarge, and no more is asked for.</summary>
    public long MaxUpstreamAnswerBytes { get; init; } = 32 * 1024 * 1024;

    /// <summary>Asked for as MaxNotificationsPerPublish; a message with more ends the session.</summary>
    public int MaxUpstreamNotifications { get; init; } = 10_000;

    /// <summary>Values of changes that it may send in a second over time, and no more than the queues of its items can
    /// bring each publishing interval; five times as many may come at once. More end the session.</summary>
    public int MaxUpstreamValuesPerSecond { get; init; } = 200_000;

    /// <summary>Answers to Publish at once that bring nothing new: keep-alives, messages that came before, empty ones,
    /// gaps. Two a publishing interval come back, and at least 20 a second. More end the session.</summary>
    public int MaxUpstreamEmptyPublishes { get; init; } = 1_000;

    /// <summary>Events that it may send in a second over time; five times as many may come at once. More: its events
    /// are not taken for <see cref="UpstreamFaultPause"/>, then its conditions are refreshed.</summary>
    public int MaxUpstreamEventsPerSecond { get; init; } = 5_000;

    /// <summary>Events that wait for the gateway's filters, and the queue that is asked for at the upstream. Those
    /// beyond are lost, and the conditions are refreshed.</summary>
    public int MaxUpstreamPendingEvents { get; init; } = 10_000;

    /// <summary>Memory of events that wait. Those beyond are lost, and the conditions are refreshed.</summary>
    public long MaxUpstreamPendingEventBytes { get; init; } = 32 * 1024 * 1024;

    /// <summary>One event, encoded. A larger one is lost, and the conditions are refreshed.</summary>
    public int MaxUpstreamEventBytes { get; init; } = 64 * 1024;

    /// <summary>Fields that are asked for of each event. Those of the upstream's own types that are beyond it are null.
    /// </summary>
    public int MaxUpstreamEventFields { get; init; } = 500;

    /// <summary>From a ConditionRefresh to its end. Without an end nothing is told to be gone.</summary>
    public TimeSpan MaxUpstreamRefreshTime { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Conditions and branches that are known. One that is of no interest makes room; without one, a further
    /// condition is an event that no refresh brings again.</summary>
    public int MaxUpstreamConditions { get; init; } = 10_000;

    /// <summary>Memory of their last notifications. As above.</summary>
    public long MaxUpstreamConditionBytes { get; init; } = 64 * 1024 * 1024;

    /// <summary>Endpoints that it names, and user tokens of all of them. It is not connected to then.</summary>
    [CopiedAtStart]
    public int MaxUpstreamEndpoints { get; init; } = 256;

    /// <summary>How long the item of a node that nobody watches any more stays at the upstream, and how long one that
    /// is wanted less often keeps its rate. A client that comes back meanwhile costs the controller nothing.</summary>
    public TimeSpan UpstreamItemLinger { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Requests of clients that wait for their turn at the upstream (<see cref="Load.UpstreamBudget"/>). More
    /// are refused with Bad_ResourceUnavailable.</summary>
    public int MaxUpstreamWaitingRequests { get; init; } = 1_000;

    /// <summary>How long a client's request waits for its turn before it is refused with Bad_ResourceUnavailable.
    /// </summary>
    public TimeSpan UpstreamBudgetPatience { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long one answer may take.</summary>
    [CopiedAtStart]
    public TimeSpan UpstreamRequestTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Until an upstream whose answers met a bound of the session or the browse is asked again.</summary>
    public TimeSpan UpstreamFaultPause { get; init; } = TimeSpan.FromMinutes(1);
}
