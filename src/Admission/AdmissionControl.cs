using System.Net;
using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Admission.Explain;
using Gateway.Admission.Handshakes;
using Gateway.Admission.Load;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;

namespace Gateway.Admission;

/// <summary>
/// Decides which clients are admitted, wait or are rejected, and why: one for the process, asked by every stage. Pure
/// policy: it knows no socket and starts no thread. Owner: the host. Threads: any.
/// </summary>
public sealed class AdmissionControl
{
    /// <summary>Pieces of work that a false claim costs its address besides its own.</summary>
    internal const double PriceOfLie = 4;

    /// <summary>Pieces of work that a signature check of a certificate chain is worth: with its parsing a fifth of a
    /// private-key operation.</summary>
    public const double PriceOfCheck = 0.2;

    /// <summary>Places that others hold do not become free by waiting for the private keys.</summary>
    private static readonly TimeSpan AtCap = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan AtRequest = TimeSpan.FromMilliseconds(500);

    /// <param name="limits">Of places, rates and books.</param>
    /// <param name="time">Of all of them.</param>
    /// <param name="isEnabled">False: only the hard caps act.</param>
    /// <param name="handshakesPerSecond">A first guess; measured from then on.</param>
    public AdmissionControl(AdmissionLimits limits, TimeProvider time, bool isEnabled, double handshakesPerSecond)
    {
        (Limits, Time, IsEnabled) = (limits, time, isEnabled);
        Clients = new ClientBook(Limits, Time);
        Known = new KnownCertificates(Limits.MaxKnownCertificates);
        Concurrency = new AdaptiveConcurrency(Time);
        Rate = new HandshakeRate(Time, handshakesPerSecond, Concurrency);
        Retry = new RetrySchedule(Time, Rate, Limits.MaxRetryAfter);
        Window = new HandshakeWindow(Limits, Time, Rate);
        Decisions = new DecisionLog(Limits.MaxDecisions);
        Door = new ConnectionDoor(this);
        Http = new HttpDoor(this);
        Stages.Describe(AdmissionStage.Http, 0, () => Http.RequestsUnderWay);
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

    public HttpDoor Http { get; }

    /// <summary>Counts and keeps the refusal, and returns the answer to the peer.</summary>
    /// <param name="stage">Where.</param>
    /// <param name="reason">Why.</param>
    /// <param name="pass">Of the connection.</param>
    /// <param name="detail">Free text of ours for the operator.</param>
    public Decision Refuse(AdmissionStage stage, RefusalReason reason, ClientPass pass, string? detail = null) =>
        Refuse(stage, reason, pass.Address, pass.Certificate, detail, TimeSpan.Zero);

    /// <summary>The same for a connection that did not come to the door: it is counted as an attempt, too.</summary>
    public Decision Refuse(AdmissionStage stage, RefusalReason reason, IPAddress address, string? detail = null)
    {
        var account = Clients.Address(address);
        account.Attempted();
        Retry.Returned(account);
        return Refuse(stage, reason, account, null, detail, TimeSpan.Zero);
    }

    /// <summary>The same where only the address' text is known; nothing is counted at the address.</summary>
    public Decision Refuse(
        AdmissionStage stage, RefusalReason reason, string address, ClientAccount? client, string? detail)
    {
        client?.Refused();
        return Keep(stage, reason, IsHinted(reason) ? Spread(stage, reason) : 0, address, client, detail);
    }

    /// <summary>Counts and keeps a refusal that another part has decided and sent.</summary>
    /// <param name="stage">Where.</param>
    /// <param name="reason">Why.</param>
    /// <param name="status">The status that the peer got.</param>
    /// <param name="pass">Of the connection; null where there is none.</param>
    /// <param name="address">Where there is no pass.</param>
    /// <param name="detail">Free text of ours for the operator.</param>
    /// <param name="user">The user of the session or login; null where it is not known.</param>
    public void Note(
        AdmissionStage stage, RefusalReason reason, StatusCode status, ClientPass? pass, string address, string? detail,
        string? user)
    {
        pass?.Address.Refused();
        pass?.Certificate?.Refused();
        Stages.Shed(stage, reason);
        Decisions.Add(new Refusal(
            Time.GetUtcNow(), stage, reason, status, 0, pass?.Address.Key ?? address, pass?.Certificate?.Key ?? "",
            pass?.Certificate?.Subject, detail)
        {
            User = user,
        });
    }

    /// <summary>One that waited is served now.</summary>
    /// <param name="stage">Where it waited.</param>
    /// <param name="enqueuedAt">Monotonic timestamp.</param>
    public void Waited(AdmissionStage stage, long enqueuedAt) =>
        WaitingTimes.Observe(stage, Time.GetElapsedTime(enqueuedAt));

    /// <summary>Whether a claim of this address may go ahead of others. Of many whose claims were right a false one
    /// says the less.</summary>
    public bool IsCredible(ClientAccount address) =>
        address.LastFalseClaim == 0 || Time.GetElapsedTime(address.LastFalseClaim) >
            Limits.FalseClaimPenalty / Math.Max(1, address.VerifiedCertificates);

    /// <param name="least">It would be refused until then.</param>
    internal Decision Refuse(
        AdmissionStage stage, RefusalReason reason, ClientAccount address, ClientAccount? client, string? detail,
        TimeSpan least)
    {
        address.Refused();
        client?.Refused();
        var retryAfterMs = 0;
        if (IsHinted(reason))
        {
            if (IsCap(reason) && least < AtCap)
                least = AtCap;
            retryAfterMs = stage <= AdmissionStage.Open
                ? Retry.Next(Door.Ahead, address, least)
                : Spread(stage, reason);
        }

        return Keep(stage, reason, retryAfterMs, address.Key, client, detail);
    }

    private int Spread(AdmissionStage stage, RefusalReason reason)
    {
        if (stage >= AdmissionStage.Request)
            return Retry.Spread(AtRequest, AtRequest);
        var backlog = TimeSpan.FromSeconds(Door.Ahead / Rate.Sustained);
        return Retry.Spread(IsCap(reason) ? AtCap : AtRequest, backlog > AtCap ? backlog : AtCap);
    }

    private static bool IsCap(RefusalReason reason) =>
        reason is RefusalReason.MaxConnections or RefusalReason.MaxConnectionsPerAddress
            or RefusalReason.MaxConnectionsPerCertificate or RefusalReason.MaxSessions
            or RefusalReason.MaxSessionsPerUser or RefusalReason.MaxSessionsPerAddress
            or RefusalReason.MaxSessionsPerCertificate or RefusalReason.MaxSessionsPerSecureChannel
            or RefusalReason.Reserved;

    private Decision Keep(
        AdmissionStage stage, RefusalReason reason, int retryAfterMs, string address, ClientAccount? client,
        string? detail)
    {
        Stages.Shed(stage, reason);
        var status = ReasonTable.StatusOf(stage, reason);
        Decisions.Add(new Refusal(
            Time.GetUtcNow(), stage, reason, status, retryAfterMs, address, client?.Key ?? "", client?.Subject,
            detail));
        return new Decision(reason, status, retryAfterMs);
    }

    /// <summary>Others get no hint, or would come back to the same refusal.</summary>
    private bool IsHinted(RefusalReason reason) => IsEnabled && reason is not (
        RefusalReason.GaveUp or RefusalReason.Silent or RefusalReason.LockedOut or RefusalReason.PublishRequests or
        RefusalReason.ShuttingDown or RefusalReason.CertificateRefused or RefusalReason.SecurityRefused or
        RefusalReason.CredentialsRefused or RefusalReason.AccessDenied or RefusalReason.Evicted);
}
