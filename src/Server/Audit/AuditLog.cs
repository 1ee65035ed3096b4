using System.Net;
using Gateway.Admission;
using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Sessions;
using Gateway.Transport.Conversation;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Audit;

/// <summary>Writes one structured line for each security-relevant accept and refusal, with an event id for each kind.
/// Every event is counted. Lines of a kind above <see cref="ServerLimits.MaxAuditLinesPerSecond"/> are dropped; the
/// next line of that kind says how many (R24, R29). A refusal that admission has not decided is also entered into
/// admission's list, so that the operator finds all refusals in one place. Thread-safe.</summary>
internal sealed class AuditLog(
    ILogger<AuditLog> logger, ServerCounters counters, ServerLimits limits, AdmissionControl admission,
    TimeProvider clock)
{
    private const int FirstEventId = 3100;
    private const int MaxDetailLength = 1000;

    private readonly AuditBudget[] _budgets = [.. Enum.GetValues<AuditEvent>().Select(_ => new AuditBudget())];

    /// <summary>An event of a channel that has no session yet.</summary>
    /// <param name="kind">The event.</param>
    /// <param name="channel">The channel of the event.</param>
    /// <param name="status">The result that the peer gets.</param>
    /// <param name="detail">Our own text; parts that the peer sent are escaped.</param>
    /// <param name="isDecided">True when admission refused it and has already listed it.</param>
    public void Channel(
        AuditEvent kind, SecureChannel channel, StatusCode status, string? detail = null, bool isDecided = false)
    {
        var isListed = Count(kind, status) > 0;
        if (!isDecided)
            Note(kind, status, channel.Pass, AddressOf(channel), detail, null, isListed);
        var level = LevelOf(status);
        if (isListed && logger.IsEnabled(level))
            Write(level, kind, OfChannel(new AuditLine(kind, status), channel).Detail(Clean(detail)));
    }

    public void Session(AuditEvent kind, Session session, StatusCode status, string? detail = null)
    {
        if (TryList(kind, status))
            List(kind, session, status, detail);
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
    public void List(
        AuditEvent kind, Session session, StatusCode status, string? detail, UserIdentity? identity = null,
        RefusalReason reason = RefusalReason.None)
    {
        var channel = session.Channel.Connection;
        var user = PeerText.EscapeLine((identity ?? session.Identity)?.DisplayName);
        Note(kind, status, channel.Pass, AddressOf(channel), detail, user, isListed: true, reason);
        var level = LevelOf(status);
        if (!logger.IsEnabled(level))
            return;
        var line = new AuditLine(kind, status)
            .With("SessionId", "session", session.SessionId.IsNull ? null : session.SessionId)
            .Quoted("SessionName", "name", PeerText.Escape(session.Name))
            .Quoted("User", "user", user)
            .With("Door", "by", session.Channel.User is null ? null : "HTTP");
        Write(level, kind, OfChannel(line, channel).Detail(Clean(detail)));
    }

    /// <summary>The same for a caller without a session.</summary>
    public void List(
        AuditEvent kind, Caller caller, StatusCode status, string? detail, RefusalReason reason = RefusalReason.None)
    {
        var user = PeerText.EscapeLine(caller.Identity?.DisplayName);
        Note(kind, status, null, caller.Address, detail, user, isListed: true, reason);
        var level = LevelOf(status);
        if (logger.IsEnabled(level))
            Write(level, kind, new AuditLine(kind, status)
                .Quoted("User", "user", user)
                .With("Door", "by", NameOf(caller.Door))
                .With("RemoteAddress", "from", caller.Address)
                .Detail(Clean(detail)));
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
        var level = LevelOf(status);
        if (isListed && logger.IsEnabled(level))
            Write(level, kind, new AuditLine(kind, status)
                .Quoted("User", "user", name)
                .With("Door", "by", NameOf(CallerDoor.Http))
                .With("RemoteAddress", "from", remoteAddress)
                .Detail(Clean(detail)));
    }

    /// <summary>An event without a live channel or session.</summary>
    public void Client(AuditEvent kind, string address, string thumbprint, StatusCode status, string detail)
    {
        var level = LevelOf(status);
        if (Count(kind, status) > 0 && logger.IsEnabled(level))
            Write(level, kind, new AuditLine(kind, status)
                .With("RemoteAddress", "from", address)
                .With("Thumbprint", "certificate", thumbprint)
                .Detail(Clean(detail)));
    }

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

    private void Write(LogLevel level, AuditEvent kind, AuditLine line) => logger.Log(
        level, new EventId(FirstEventId + (int)kind, kind.ToString()), line, null,
        static (state, _) => state.ToString());

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
            admission.Note(stage, reason, status, pass, address ?? "", detail ?? kind.ToString(), user);
        else
            admission.Stages.Shed(stage, reason);
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
        counters.CountAudit(kind, status, count);
        var second = clock.GetTimestamp() / clock.TimestampFrequency;
        var listed = _budgets[(int)kind].Take(second, limits.MaxAuditLinesPerSecond, count, out var dropped);
        if (dropped > 0 && logger.IsEnabled(LevelOf(status)))
            Write(LevelOf(status), kind, new AuditLine(kind, dropped));
        return listed;
    }
}
