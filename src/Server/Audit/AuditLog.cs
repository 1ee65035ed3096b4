using System.Net;
using Gateway.Admission;
using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Sessions;
using Gateway.Transport.Conversation;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Audit;

/// <summary>Writes one structured line for each security-relevant accept and refusal, with an event id for each kind,
/// and hands the same to the audit trail. Every event is counted. Events of a kind above
/// <see cref="ServerLimits.MaxAuditLinesPerSecond"/> are dropped; a second later at the latest one line of that kind
/// says how many (R24, R29). A refusal that admission has not decided is also entered into admission's list, so that
/// the operator finds all refusals in one place. Thread-safe.</summary>
internal sealed class AuditLog : IDisposable
{
    private const int FirstEventId = 3100;
    private const int MaxDetailLength = 1000;

    private static readonly TimeSpan SweepDelay = TimeSpan.FromSeconds(1);

    private readonly AuditBudget[] _budgets = [.. Enum.GetValues<AuditEvent>().Select(_ => new AuditBudget())];
    private readonly ILogger<AuditLog> _logger;
    private readonly ServerCounters _counters;
    private readonly ServerLimits _limits;
    private readonly AdmissionControl _admission;
    private readonly AuditTrail _trail;
    private readonly TimeProvider _clock;
    private readonly ITimer _sweep;
    private readonly uint[] _droppedStatus = new uint[Enum.GetValues<AuditEvent>().Length];
    private int _isSweepDue;

    public AuditLog(
        ILogger<AuditLog> logger, ServerCounters counters, ServerLimits limits, AdmissionControl admission,
        AuditTrail trail, TimeProvider clock)
    {
        (_logger, _counters, _limits, _admission) = (logger, counters, limits, admission);
        (_trail, _clock) = (trail, clock);
        _sweep = clock.CreateTimer(
            static log => ((AuditLog)log!).TellDropped(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Somebody keeps an audit trail, or gets events of it.</summary>
    public bool IsWatched => _trail.IsWatched;

    /// <summary>Facts that cost something to get are wanted.</summary>
    public bool WantsFacts => _trail.WantsFacts;

    /// <summary>An event of a channel that has no session yet.</summary>
    /// <param name="kind">The event.</param>
    /// <param name="channel">The channel of the event.</param>
    /// <param name="status">The result that the peer gets.</param>
    /// <param name="detail">Our own text; parts that the peer sent are escaped.</param>
    /// <param name="isDecided">True when admission refused it and has already listed it.</param>
    /// <param name="session">The session that the event is about.</param>
    /// <param name="facts">The subject of the event.</param>
    public void Channel(
        AuditEvent kind, SecureChannel channel, StatusCode status, string? detail = null, bool isDecided = false,
        Session? session = null, in AuditFacts facts = default)
    {
        var isListed = Count(kind, status) > 0;
        if (!isDecided)
            Note(kind, status, channel.Pass, AddressOf(channel), detail, null, isListed);
        if (!isListed)
            return;
        if (IsLogged(kind, status))
            Write(kind, status, OfChannel(new AuditLine(kind, status), channel).Detail(Clean(detail)));
        if (_trail.IsWatched)
            _trail.Tell(new AuditEntry(kind, status, facts)
            {
                Channel = channel,
                Session = session,
                Detail = CleanOrNull(detail),
            });
    }

    /// <summary>A channel that did not come to be, or was not renewed: admission has listed it.</summary>
    public void Refused(OpenRefusal refusal)
    {
        if (Count(AuditEvent.ChannelRefused, refusal.Status) > 0 && _trail.IsWatched)
            _trail.Tell(new AuditEntry(
                AuditEvent.ChannelRefused, refusal.Status, new AuditFacts { Certificate = refusal.Verdict })
            {
                Refusal = refusal,
                Detail = CleanOrNull(refusal.Detail),
            });
    }

    public void Session(
        AuditEvent kind, Session session, StatusCode status, string? detail = null, in AuditFacts facts = default)
    {
        if (TryList(kind, status))
            List(kind, session, status, detail, facts: facts);
    }

    /// <summary>Counts accepted operations of one request. Returns how many of them get a line, each by a call of
    /// <c>List</c>. Callers make no text for the others (R44).</summary>
    public int Take(AuditEvent kind, int count) => count == 0 ? 0 : Count(kind, StatusCode.Good, count);

    /// <summary>Counts the event. False: too many events of its kind, so it gets no line and callers make no text for
    /// it (R44). True: a call of <c>List</c> must follow.</summary>
    /// <param name="kind">The event.</param>
    /// <param name="status">The result that the peer gets.</param>
    /// <param name="reason">The reason of a refusal; None where the kind implies it.</param>
    public bool TryList(AuditEvent kind, StatusCode status, RefusalReason reason = RefusalReason.None)
    {
        if (Count(kind, status) > 0)
            return true;
        Note(kind, status, null, null, null, null, isListed: false, reason);
        return false;
    }

    /// <summary>Writes the line of an event that <see cref="TryList"/> or <see cref="Take"/> has counted.</summary>
    /// <param name="kind">The event.</param>
    /// <param name="session">The session of the event.</param>
    /// <param name="status">The result that the peer gets.</param>
    /// <param name="detail">Our own text; parts that the peer sent are escaped.</param>
    /// <param name="identity">The user of the request at its arrival (R16); null: the session's user.</param>
    /// <param name="reason">The reason of a refusal; None where the kind implies it.</param>
    /// <param name="facts">The subject of the event.</param>
    public void List(
        AuditEvent kind, Session session, StatusCode status, string? detail, UserIdentity? identity = null,
        RefusalReason reason = RefusalReason.None, in AuditFacts facts = default)
    {
        var channel = session.Channel.Connection;
        var user = PeerText.EscapeLine((identity ?? session.Identity)?.DisplayName);
        Note(kind, status, channel.Pass, AddressOf(channel), detail, user, isListed: true, reason);
        var door = session.Channel.User is null ? null : "HTTP";
        if (IsLogged(kind, status))
        {
            var line = new AuditLine(kind, status)
                .With("SessionId", "session", session.SessionId.IsNull ? null : session.SessionId)
                .Quoted("SessionName", "name", PeerText.Escape(session.Name))
                .Quoted("User", "user", user)
                .With("Door", "by", door);
            Write(kind, status, OfChannel(line, channel).Detail(Clean(detail)));
        }

        if (_trail.IsWatched)
            _trail.Tell(new AuditEntry(kind, status, facts)
            {
                Channel = channel,
                Session = session,
                User = user,
                Door = door,
                Detail = CleanOrNull(detail),
            });
    }

    /// <summary>The same for a caller without a session.</summary>
    public void List(
        AuditEvent kind, Caller caller, StatusCode status, string? detail, RefusalReason reason = RefusalReason.None,
        in AuditFacts facts = default)
    {
        var user = PeerText.EscapeLine(caller.Identity?.DisplayName);
        Note(kind, status, null, caller.Address, detail, user, isListed: true, reason);
        if (IsLogged(kind, status))
            Write(kind, status, new AuditLine(kind, status)
                .Quoted("User", "user", user)
                .With("Door", "by", NameOf(caller.Door))
                .With("RemoteAddress", "from", caller.Address)
                .Detail(Clean(detail)));
        if (_trail.IsWatched)
            _trail.Tell(new AuditEntry(kind, status, facts)
            {
                User = user,
                Door = NameOf(caller.Door),
                Address = caller.Address,
                Thumbprint = caller.Certificate,
                Detail = CleanOrNull(detail),
            });
    }

    /// <summary>A login over HTTP.</summary>
    public void Login(
        AuditEvent kind, string user, IPAddress? remoteAddress, StatusCode status, string? detail = null,
        bool isDecided = false)
    {
        var isListed = Count(kind, status) > 0;
        var name = isListed ? PeerText.Escape(user) : "";
        if (!isDecided)
            Note(kind, status, null, remoteAddress?.ToString(), detail, name, isListed);
        if (!isListed)
            return;
        if (IsLogged(kind, status))
            Write(kind, status, new AuditLine(kind, status)
                .Quoted("User", "user", name)
                .With("Door", "by", NameOf(CallerDoor.Http))
                .With("RemoteAddress", "from", remoteAddress)
                .Detail(Clean(detail)));
        if (_trail.IsWatched)
            _trail.Tell(new AuditEntry(kind, status, default)
            {
                User = name,
                Door = NameOf(CallerDoor.Http),
                Address = remoteAddress?.ToString(),
                Detail = CleanOrNull(detail),
            });
    }

    /// <summary>An event without a live channel or session.</summary>
    public void Client(
        AuditEvent kind, string address, string thumbprint, StatusCode status, string detail,
        in AuditFacts facts = default)
    {
        if (Count(kind, status) == 0)
            return;
        if (IsLogged(kind, status))
            Write(kind, status, new AuditLine(kind, status)
                .With("RemoteAddress", "from", address)
                .With("Thumbprint", "certificate", thumbprint)
                .Detail(Clean(detail)));
        if (_trail.IsWatched)
            _trail.Tell(new AuditEntry(kind, status, facts)
            {
                Address = address,
                Thumbprint = thumbprint,
                Detail = CleanOrNull(detail),
            });
    }

    public void Dispose() => _sweep.Dispose();

    /// <summary>An operator who did it: <c>by "anna" over HTTP from 127.0.0.1</c>.</summary>
    public static string NameOf(Caller caller) =>
        $"by \"{PeerText.Escape(caller.Identity?.DisplayName)}\" over {NameOf(caller.Door)} from {caller.Address}";

    private static AuditLine OfChannel(AuditLine line, SecureChannel channel) => line
        .With("ChannelId", "channel", channel.ChannelId)
        .With("RemoteEndPoint", "from", channel.RemoteEndPoint)
        .With("SecurityPolicy", "policy", channel.Policy.Name)
        .With("Thumbprint", "certificate", channel.PeerThumbprint);

    private static string? AddressOf(SecureChannel channel) =>
        (channel.RemoteEndPoint as IPEndPoint)?.Address.ToString();

    private static string NameOf(CallerDoor door) => door == CallerDoor.Http ? "HTTP" : door.ToString();

    private static string Clean(string? detail) => PeerText.EscapeLine(detail, MaxDetailLength);

    private static LogLevel LevelOf(StatusCode status) => status.IsBad ? LogLevel.Warning : LogLevel.Information;

    private static string? CleanOrNull(string? detail) => string.IsNullOrEmpty(detail) ? null : Clean(detail);

    private bool IsLogged(AuditEvent kind, StatusCode status) =>
        AuditKinds.HasLine(kind) && _logger.IsEnabled(LevelOf(status));

    private void Write(AuditEvent kind, StatusCode status, AuditLine line)
    {
        var level = LevelOf(status);
        if (_logger.IsEnabled(level))
            _logger.Log(
                level, new EventId(FirstEventId + (int)kind, kind.ToString()), line, null,
                static (state, _) => state.ToString());
    }

    /// <summary>Enters a refusal into admission's list. The list is short, so events without a line are only counted.
    /// </summary>
    private void Note(
        AuditEvent kind, StatusCode status, ClientPass? pass, string? address, string? detail, string? user,
        bool isListed, RefusalReason told = RefusalReason.None)
    {
        var (stage, reason) = RefusalOf(kind, status);
        if (told != RefusalReason.None)
            (stage, reason) = (AdmissionStage.Request, told);
        if (reason == RefusalReason.None)
            return;
        if (isListed)
            _admission.Note(stage, reason, status, pass, address ?? "", detail ?? kind.ToString(), user);
        else
            _admission.Stages.Shed(stage, reason);
    }

    private static (AdmissionStage Stage, RefusalReason Reason) RefusalOf(AuditEvent kind, StatusCode status) =>
        kind switch
        {
            AuditEvent.SessionRefused => (AdmissionStage.CreateSession, RefusalReason.SecurityRefused),
            AuditEvent.ActivationRefused when IsOfUser(status) =>
                (AdmissionStage.ActivateSession, RefusalReason.CredentialsRefused),
            AuditEvent.ActivationRefused => (AdmissionStage.ActivateSession, RefusalReason.SecurityRefused),
            AuditEvent.EarlyService or AuditEvent.ForeignChannel =>
                (AdmissionStage.Request, RefusalReason.SecurityRefused),
            AuditEvent.ReadRefused or AuditEvent.WriteRefused or AuditEvent.CallRefused or
                AuditEvent.TransferRefused or AuditEvent.ManagementRefused =>
                (AdmissionStage.Request, RefusalReason.AccessDenied),
            AuditEvent.LoginRefused => (AdmissionStage.Http, RefusalReason.CredentialsRefused),
            _ => (default, RefusalReason.None),
        };

    private static bool IsOfUser(StatusCode status) => status.CodeBits is StatusCodes.BadUserAccessDenied
        or StatusCodes.BadUserSignatureInvalid or StatusCodes.BadIdentityTokenInvalid
        or StatusCodes.BadIdentityTokenRejected or StatusCodes.BadIdentityChangeNotSupported;

    /// <summary>Counts the events. Returns how many of them get a line.</summary>
    private int Count(AuditEvent kind, StatusCode status, int count = 1)
    {
        _counters.CountAudit(kind, status, count);
        var listed = _budgets[(int)kind].Take(Second(), _limits.MaxAuditLinesPerSecond, count, out var dropped);
        if (dropped > 0)
            TellDropped(kind, status, dropped);
        if (listed < count)
        {
            Volatile.Write(ref _droppedStatus[(int)kind], status.Code);
            if (Interlocked.Exchange(ref _isSweepDue, 1) == 0)
                _sweep.Change(SweepDelay, Timeout.InfiniteTimeSpan);
        }

        return listed;
    }

    private long Second() => _clock.GetTimestamp() / _clock.TimestampFrequency;

    /// <summary>The flood of a kind is over when no event of it follows, and nobody is to wait for the next one to
    /// learn how large it was.</summary>
    private void TellDropped()
    {
        Volatile.Write(ref _isSweepDue, 0);
        var isLeft = false;
        foreach (var kind in Enum.GetValues<AuditEvent>())
        {
            if (_budgets[(int)kind].TakeDropped(Second(), out var left) is > 0 and var dropped)
                TellDropped(kind, new StatusCode(_droppedStatus[(int)kind]), dropped);
            isLeft |= left;
        }

        if (isLeft && Interlocked.Exchange(ref _isSweepDue, 1) == 0)
            _sweep.Change(SweepDelay, Timeout.InfiniteTimeSpan);
    }

    private void TellDropped(AuditEvent kind, StatusCode status, long dropped)
    {
        if (IsLogged(kind, status))
            Write(kind, status, new AuditLine(kind, dropped));
        if (_trail.IsWatched)
            _trail.Tell(new AuditEntry(kind, status, default) { Dropped = dropped });
    }
}
