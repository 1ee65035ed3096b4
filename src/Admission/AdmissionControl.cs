using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Admission.Explain;
using Gateway.Admission.Load;
using Gateway.Admission.Stages;

namespace Gateway.Admission;

/// <summary>
/// Who is let in, who waits, who is refused and why: one for the process, asked by every stage. Pure policy: it knows
/// no socket and starts no thread. Owner: the host. Threads: any.
/// </summary>
public sealed class AdmissionControl
{
    /// <param name="limits">Null: the defaults.</param>
    /// <param name="time">Null: the system's.</param>
    /// <param name="isEnabled">False: only the hard caps act.</param>
    /// <param name="handshakesPerSecond">A first guess; measured from then on.</param>
    public AdmissionControl(
        AdmissionLimits? limits = null, TimeProvider? time = null, bool isEnabled = true,
        double handshakesPerSecond = 200)
    {
        Limits = limits ?? new AdmissionLimits();
        Time = time ?? TimeProvider.System;
        IsEnabled = isEnabled;
        Clients = new ClientBook(Limits.MaxTrackedClients);
        Known = new KnownCertificates(Limits.MaxKnownCertificates);
        Rate = new HandshakeRate(Time, handshakesPerSecond);
        Retry = new RetrySchedule(Time, Rate, Limits.MaxRetryAfter);
        Concurrency = new AdaptiveConcurrency(Time);
        Window = new HandshakeWindow(Limits, Time, Rate);
        Decisions = new DecisionLog(Limits.MaxDecisions);
        Door = new ConnectionDoor(this);
    }

    public AdmissionLimits Limits { get; }

    public TimeProvider Time { get; }

    public bool IsEnabled { get; }

    public StageBook Stages { get; } = new();

    public ClientBook Clients { get; }

    public KnownCertificates Known { get; }

    public HandshakeRate Rate { get; }

    public RetrySchedule Retry { get; }

    public AdaptiveConcurrency Concurrency { get; }

    public HandshakeWindow Window { get; }

    public DecisionLog Decisions { get; }

    public ConnectionDoor Door { get; }

    /// <summary>Counts and keeps the refusal, and says what the peer is told.</summary>
    /// <param name="stage">Where.</param>
    /// <param name="reason">Why.</param>
    /// <param name="address">Of the peer.</param>
    /// <param name="client">The certificate, where one was verified.</param>
    /// <param name="detail">Free text of ours for the operator.</param>
    public Decision Refuse(
        AdmissionStage stage, RefusalReason reason, string address, ClientAccount? client, string? detail)
    {
        Stages.Shed(stage, reason);
        client?.Refused();
        var status = ReasonTable.StatusOf(stage, reason);
        var retry = reason is RefusalReason.LockedOut or RefusalReason.PublishRequests or RefusalReason.ShuttingDown
            ? 0
            : Retry.Next(Door.Waiting);
        Decisions.Add(new Refusal(
            Time.GetUtcNow(), stage, reason, status, retry, address, client?.Key ?? "", client?.Subject, detail));
        return new Decision(reason, status, retry);
    }

    /// <summary>One that waited is served now.</summary>
    /// <param name="stage">Where it waited.</param>
    /// <param name="enqueuedAt">Monotonic timestamp.</param>
    public void Waited(AdmissionStage stage, long enqueuedAt) =>
        WaitingTimes.Observe(stage, Time.GetElapsedTime(enqueuedAt));

    /// <summary>Whether what this address claims may put it ahead.</summary>
    public bool IsCredible(ClientAccount address) =>
        address.LastFalseClaim == 0 || Time.GetElapsedTime(address.LastFalseClaim) > Limits.FalseClaimPenalty;
}
