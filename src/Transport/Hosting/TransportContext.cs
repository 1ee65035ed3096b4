using Gateway.Admission;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Transport.Conversation;
using Gateway.Transport.Http;
using Gateway.Transport.Security;
using Gateway.Transport.Sockets;
using Gateway.Transport.Timing;
using Gateway.Transport.Tracing;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Transport.Hosting;

/// <summary>The parts that all connections of a process share, in both roles: limits, clock, deadline loop, memory
/// budget, private-key lane, counters, log. Owner: the host, which disposes it last.</summary>
public sealed class TransportContext : IDisposable
{
    private readonly Lazy<DescriptorBudget> _descriptors;
    private int _isFitted;

    /// <param name="limits">Of UA-TCP.</param>
    /// <param name="http">Of the HTTP listener, whose deadlines the one loop looks after, too.</param>
    /// <param name="admission">One for the process.</param>
    /// <param name="lateness">The measured lateness that the private-key lane yields to.</param>
    /// <param name="time">Of all deadlines.</param>
    /// <param name="loggers">Of the host.</param>
    /// <param name="outgoing">Connections that the process opens itself: descriptors are kept for them.</param>
    public TransportContext(
        TransportLimits limits, HttpLimits http, AdmissionControl admission, PlantLateness lateness, TimeProvider time,
        ILoggerFactory loggers, int outgoing)
    {
        (Limits, Http, Admission, Time) = (limits, http, admission, time);
        Log = new TransportLog(loggers.CreateLogger("Gateway.Transport"));
        Budget = new MemoryBudget(Limits.MemoryBudgetBytes);
        Counters = new TransportCounters(Budget, Log.FaultContained);
        PrivateKeys = new PrivateKeyLane(Limits, Time, Counters, Admission, lateness);
        Failures = new FailureAnswers(Time, Limits, Counters);
        Describe();
        Registry = new ConnectionRegistry(Limits);
        DescribeConnections();
        Deadlines = new DeadlineLoop(Limits, Http, Time, Admission.Door, Counters);
        Outgoing = new OutgoingPlaces(() => Volatile.Read(ref _isFitted) == 0 ? null : Descriptors);
        Counters.Show(Outgoing);
        _descriptors = new(() => DescriptorBudget.OfProcess(
            outgoing, ReverseDescriptors, Admission.Limits.MaxHttpConnections));
    }

    /// <summary>For a program that is no gateway: admission with the defaults, no plant to yield to, no log.</summary>
    public static TransportContext Standalone(TransportLimits limits, TimeProvider time)
    {
        const double firstGuess = 200;
        return new TransportContext(
            limits, new HttpLimits(), new AdmissionControl(new AdmissionLimits(), time, true, firstGuess),
            new PlantLateness(), time, NullLoggerFactory.Instance, outgoing: 0);
    }

    /// <summary>Null: openings of connections are not traced.</summary>
    public RequestTracing? Tracing { get; init; }

    /// <summary>Kept for servers that connect to the process.</summary>
    public int ReverseDescriptors { get; init; }

    public TransportLimits Limits { get; }

    public HttpLimits Http { get; }

    public TimeProvider Time { get; }

    public TransportCounters Counters { get; }

    public AdmissionControl Admission { get; }

    public PrivateKeyLane PrivateKeys { get; }

    public FailureAnswers Failures { get; }

    internal TransportLog Log { get; }

    /// <summary>Of the server role; one a process.</summary>
    internal ConnectionRegistry Registry { get; }

    /// <summary>Counted when it is first asked for: when the first listener stands.</summary>
    internal DescriptorBudget Descriptors => _descriptors.Value;

    /// <summary>Of the client role.</summary>
    internal OutgoingPlaces Outgoing { get; }

    /// <summary>Opens a TCP connection whose protocol is not UA-TCP, within the descriptors that are kept for the
    /// process's own. Errors: <see cref="System.Net.Sockets.SocketException"/>, <see cref="IOException"/> where it is
    /// over already.</summary>
    public ValueTask<Stream> DialAsync(string host, int port, CancellationToken cancellation) =>
        new OutgoingDialer(Outgoing).DialAsync(host, port, cancellation);

    public MemoryBudget Budget { get; }

    internal DeadlineLoop Deadlines { get; }

    /// <summary>Fewer connections where the process may not open as many descriptors, and a warning with the limit to
    /// raise. Once, whichever listener comes first.</summary>
    internal void FitToDescriptors()
    {
        var descriptors = Descriptors;
        if (Interlocked.Exchange(ref _isFitted, 1) != 0)
            return;
        var (own, limits) = (Limits.MaxConnections, Admission.Limits);
        var wanted = own + limits.MaxWaitingConnections + limits.MaxHttpConnections;
        var capacity = descriptors.Capacity + descriptors.HttpShare;
        if (capacity < wanted)
            Log.FewDescriptors(
                descriptors.Limit, capacity, descriptors.MaxLetIn, descriptors.MaxHttpLetIn, wanted,
                wanted + descriptors.Reserve);
        Registry.Lower(descriptors.MaxLetIn);
        Admission.Http.Lower(descriptors.MaxHttpLetIn);
        DescribeConnections();
    }

    public void Dispose()
    {
        Deadlines.Dispose();
        PrivateKeys.Dispose();
        Failures.Dispose();
        Counters.Dispose();
    }

    private void Describe()
    {
        var stages = Admission.Stages;
        var lane = PrivateKeys;
        stages.Describe(
            AdmissionStage.Open, Limits.MaxPrivateKeyQueueLength, () => lane.QueueLength,
            () => lane.WaitingIn(LaneClass.Known) + lane.WaitingIn(LaneClass.Stranger));
        stages.Describe(
            AdmissionStage.Renew, Limits.MaxPrivateKeyQueueLength, () => lane.QueueLength,
            () => lane.WaitingIn(LaneClass.Live));
        stages.Describe(AdmissionStage.Hello, 0, () => Math.Max(0, Registry.Count - Counters.SecureChannels));
    }

    /// <summary>Each listener's row has its real limit.</summary>
    private void DescribeConnections()
    {
        Admission.Stages.Describe(
            AdmissionStage.Connection, Registry.Limit, () => Registry.Count, () => Admission.Door.Waiting);
        Admission.Stages.Describe(
            AdmissionStage.HttpConnection, Admission.Http.Limit, () => Admission.Http.Count);
    }
}
