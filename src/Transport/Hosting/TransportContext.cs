using Gateway.Admission;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;
using Gateway.Transport.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Transport.Hosting;

/// <summary>What all connections of a process share, of both roles: limits, clock, deadline loop, memory budget,
/// private-key lane, counters, log. Owner: the host, which disposes it last.</summary>
public sealed class TransportContext : IDisposable
{
    private readonly Lazy<DescriptorBudget> _descriptors = new(DescriptorBudget.OfProcess);

    public TransportContext(
        TransportLimits? limits = null,
        TimeProvider? time = null,
        ILoggerFactory? loggers = null,
        TransportCounters? counters = null,
        PrivateKeyLane? lane = null,
        AdmissionControl? admission = null)
    {
        Limits = limits ?? new TransportLimits();
        Time = time ?? TimeProvider.System;
        Admission = admission ?? new AdmissionControl(null, Time);
        Counters = counters ?? new TransportCounters();
        Log = new TransportLog((loggers ?? NullLoggerFactory.Instance).CreateLogger("Gateway.Transport"));
        PrivateKeys = lane ?? new PrivateKeyLane(Limits, Time, Counters, Admission);
        Describe();
        Budget = new MemoryBudget(Limits.MemoryBudgetBytes);
        Counters.Budget = Budget;
        Registry = new ChannelRegistry(Limits);
        Deadlines = new DeadlineLoop(Limits, Time, Admission.Door);
    }

    public TransportLimits Limits { get; }

    public TimeProvider Time { get; }

    public TransportCounters Counters { get; }

    public AdmissionControl Admission { get; }

    public PrivateKeyLane PrivateKeys { get; }

    internal TransportLog Log { get; }

    /// <summary>Of the server role; one a process.</summary>
    internal ChannelRegistry Registry { get; }

    /// <summary>Counted when it is first asked for: when the listener stands.</summary>
    internal DescriptorBudget Descriptors => _descriptors.Value;

    public MemoryBudget Budget { get; }

    internal DeadlineLoop Deadlines { get; }

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
        stages.Describe(
            AdmissionStage.Connection, Limits.MaxConnections, () => Registry.Count, () => Admission.Door.Waiting);
        stages.Describe(AdmissionStage.Hello, 0, () => Math.Max(0, Registry.Count - Counters.SecureChannels));
    }

    /// <summary>Fewer connections where the process may not open as many descriptors, and a warning that says what to
    /// raise.</summary>
    internal void FitToDescriptors()
    {
        var descriptors = Descriptors;
        var wanted = Limits.MaxConnections + Admission.Limits.MaxWaitingConnections;
        if (descriptors.Capacity < wanted)
            Log.FewDescriptors(descriptors.Limit, descriptors.Capacity, wanted, wanted + descriptors.Reserve);
        Registry.Lower(descriptors.MaxLetIn);
    }

    public void Dispose()
    {
        Deadlines.Dispose();
        PrivateKeys.Dispose();
        Counters.Dispose();
    }
}
