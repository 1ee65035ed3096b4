using Gateway.Admission;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Transport.Conversation;
using Gateway.Transport.Http;
using Gateway.Transport.Security;
using Gateway.Transport.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Transport.Hosting;

/// <summary>What all connections of a process share, of both roles: limits, clock, deadline loop, memory budget,
/// private-key lane, counters, log. Owner: the host, which disposes it last.</summary>
public sealed class TransportContext : IDisposable
{
    private readonly Lazy<DescriptorBudget> _descriptors;
    private int _isFitted;

    public TransportContext(
        TransportLimits? limits = null,
        TimeProvider? time = null,
        ILoggerFactory? loggers = null,
        TransportCounters? counters = null,
        PrivateKeyLane? lane = null,
        AdmissionControl? admission = null,
        HttpLimits? http = null,
        int upstreams = 0)
    {
        Limits = limits ?? new TransportLimits();
        Http = http ?? new HttpLimits();
        Time = time ?? TimeProvider.System;
        Admission = admission ?? new AdmissionControl(null, Time);
        Counters = counters ?? new TransportCounters();
        Log = new TransportLog((loggers ?? NullLoggerFactory.Instance).CreateLogger("Gateway.Transport"));
        Counters.FaultLog = Log.FaultContained;
        PrivateKeys = lane ?? new PrivateKeyLane(Limits, Time, Counters, Admission);
        Failures = new FailureAnswers(Time, Limits, Counters);
        Describe();
        Budget = new MemoryBudget(Limits.MemoryBudgetBytes);
        Counters.Budget = Budget;
        Registry = new ConnectionRegistry(Limits);
        DescribeConnections();
        Deadlines = new DeadlineLoop(Limits, Http, Time, Admission.Door, Counters);
        _descriptors = new(() => DescriptorBudget.OfProcess(upstreams, Admission.Limits.MaxHttpConnections));
    }

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

    public MemoryBudget Budget { get; }

    internal DeadlineLoop Deadlines { get; }

    /// <summary>Fewer connections where the process may not open as many descriptors, and a warning that says what to
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

    /// <summary>Each listener's row says what it may really hold.</summary>
    private void DescribeConnections()
    {
        Admission.Stages.Describe(
            AdmissionStage.Connection, Registry.Limit, () => Registry.Count, () => Admission.Door.Waiting);
        Admission.Stages.Describe(
            AdmissionStage.HttpConnection, Admission.Http.Limit, () => Admission.Http.Count);
    }
}
