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

/// <summary>One structured line for each security-relevant accept and refusal, under an event id of its kind; every
/// event is counted, lines of a kind above <see cref="ServerLimits.MaxAuditLinesPerSecond"/> are dropped and summed up
/// before the next one that passes (R24, R29). A refusal that admission has not decided is noted there, too, so that
/// the operator finds all of them in one list. Thread-safe.</summary>
internal sealed class AuditLog(
    ILogger<AuditLog> logger, ServerCounters counters, ServerLimits limits, AdmissionControl admission,
    TimeProvider clock)
{
    private const int FirstEventId = 3100;
    private const int MaxDetailLength = 1000;

    private readonly AuditBudget[] _budgets = [.. Enum.GetValues<AuditEvent>().Select(_ => new AuditBudget())];

    /// <summary>Something that a channel did before there was a session.</summary>
    /// <param name="kind">What.</param>
    /// <param name="channel">On which it was.</param>
    /// <param name="status">What the peer was told.</param>
    /// <param name="detail">Text of ours, in which what came from the peer is escaped.</param>
    /// <param name="isDecided">Admission refused it and has noted it.</param>
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

    /// <summary>Counts accepted operations of one request. Returns how many of them get a line, each by
    /// <c>List</c>: of the others no text is to be made (R44).</summary>
    public int Take(AuditEvent kind, int count) => count == 0 ? 0 : Count(kind, StatusCode.Good, count);

    /// <summary>Counts the event. False: it is one of a flood and gets no line, so that no text is to be made for it
    /// (R44). True: <c>List</c> is to follow.</summary>
    /// <param name="kind">What.</param>
    /// <param name="status">What the peer was told.</param>
    /// <param name="reason">Of a refusal; None where the kind says it.</param>
    public bool TryList(AuditEvent kind, StatusCode status, RefusalReason reason = RefusalReason.None)
    {
        if (Count(kind, status) > 0)
            return true;
        Note(kind, status, null, null, null, null, isListed: false, reason);
        return false;
    }

    /// <summary>The line of an event that <see cref="TryList"/> or <see cref="Take"/> has counted.</summary>
    /// <param name="kind">What.</param>
    /// <param name="session">Whose.</param>
    /// <param name="status">What the peer was told.</param>
    /// <param name="detail">Text of ours, in which what came from the peer is escaped.</param>
    /// <param name="identity">Whom the request arrived for (R16); null: the session's user.</param>
    /// <param name="reason">Of a refusal; None where the kind says it.</param>
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

    /// <summary>The same of a caller who has no session.</summary>
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

    /// <summary>A user at the HTTP door.</summary>
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

    /// <summary>Something that a client left behind.</summary>
    public void Client(AuditEvent kind, string address, string thumbprint, StatusCode status, string detail)
    {
        var level = LevelOf(status);
        if (Count(kind, status) > 0 && logger.IsEnabled(level))
            Write(level, kind, new AuditLine(kind, status)
                .With("RemoteAddress", "from", address)
                .With("Thumbprint", "certificate", thumbprint)
                .Detail(Clean(detail)));
    }

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

    /// <summary>Of a flood only the count: the list is short.</summary>
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
                AuditEvent.TransferRefused => (AdmissionStage.Request, RefusalReason.AccessDenied),
            AuditEvent.LoginRefused => (AdmissionStage.Http, RefusalReason.CredentialsRefused),
            _ => (default, RefusalReason.None),
        };

    private static bool IsOfUser(StatusCode status) => status.CodeBits is StatusCodes.BadUserAccessDenied
        or StatusCodes.BadUserSignatureInvalid or StatusCodes.BadIdentityTokenInvalid
        or StatusCodes.BadIdentityTokenRejected or StatusCodes.BadIdentityChangeNotSupported;

    /// <summary>How many of them get a line.</summary>
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
