using Gateway.Admission;
using Gateway.Admission.Load;
using Gateway.Admission.Stages;
using Gateway.Server.Sessions;

namespace Gateway.Server.ServerObject;

/// <summary>The Server object's ServiceLevel: it falls with load and is 0 once the server shuts down. Computed once a
/// refresh, so that readers and subscribers see the same value. Source: Part 4 §6.6.2.4.2.</summary>
internal sealed class ServiceLevel(
    AdmissionControl admission, SessionManager sessions, ServerLimits limits, ServerLifetime lifetime,
    ServerCounters counters, TimeProvider clock)
{
    /// <summary>Clients shall disconnect. Source: Part 4 §6.6.2.4.2.</summary>
    private const byte Maintenance = 0;

    private long _since = clock.GetTimestamp();

    public byte Current => lifetime.IsShuttingDown ? Maintenance : counters.ServiceLevel;

    /// <summary>About once a second, by one thread at a time.</summary>
    public void Refresh()
    {
        var now = clock.GetTimestamp();
        counters.ServiceLevel = ServiceLevelRule.Next(counters.ServiceLevel, Load(), clock.GetElapsedTime(_since, now));
        _since = now;
    }

    private ServiceLoad Load()
    {
        var stages = admission.Stages;
        var waiting = admission.Door.Waiting + stages.Waiting(AdmissionStage.Open);
        var connections = stages.Limit(AdmissionStage.Connection);
        return new ServiceLoad(
            (double)sessions.Count / limits.MaxSessions,
            connections > 0 ? (double)stages.Use(AdmissionStage.Connection) / connections : 0,
            waiting / Math.Max(1, admission.Rate.PerSecond));
    }
}
