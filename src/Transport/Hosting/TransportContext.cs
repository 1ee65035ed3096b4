using Gateway.Admission;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Transport.Security;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Transport.Hosting;

/// <summary>What all connections of a process share, of both roles: limits, clock, deadline loop, memory budget,
/// private-key lane, counters, log. Owner: the host, which disposes it last.</summary>
public sealed class TransportContext : IDisposable
{
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
        Log = new TransportLog((loggers ?? NullLoggerFactory.Instance).CreateLogger("Gateway.Transport"), Time);
        PrivateKeys = lane ?? new PrivateKeyLane(Limits, Time, Counters, Admission);
        Describe();
        Budget = new MemoryBudget(Limits.MemoryBudgetBytes);
        Counters.Budget = Budget;
        Deadlines = new DeadlineLoop(Limits, Time);
    }

    public TransportLimits Limits { get; }

    public TimeProvider Time { get; }

    public TransportCounters Counters { get; }

    public AdmissionControl Admission { get; }

    public PrivateKeyLane PrivateKeys { get; }

    internal TransportLog Log { get; }

    internal MemoryBudget Budget { get; }

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
    }

    public void Dispose()
    {
        Deadlines.Dispose();
        PrivateKeys.Dispose();
        Counters.Dispose();
    }
}
