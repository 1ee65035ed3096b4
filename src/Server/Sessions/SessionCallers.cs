using Gateway.Operations.Access;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Sessions;

/// <summary>The callers of services.</summary>
internal static class SessionCallers
{
    /// <summary>The caller of a session on a SecureChannel; the client's certificate was checked when the channel was
    /// opened. A session moves only between channels of one mode and certificate, so it keeps the caller until its user
    /// or its locales change.</summary>
    public static Caller Of(UserIdentity? identity, SecureChannel channel, Session? session)
    {
        if (session?.Sessionless is { } sessionless)
            return sessionless;
        if (session?.LastCaller is { } last && ReferenceEquals(last.Identity, identity) &&
            ReferenceEquals(last.Locales, session.LocaleIds))
            return last;
        var caller = new Caller(
            identity, session?.Channel.User?.Door ?? CallerDoor.UaBinary, channel.SecurityMode,
            channel.PeerThumbprint.Length > 0, hasSession: true)
        {
            Locales = session?.LocaleIds,
            Address = session?.Address ?? string.Empty,
            Certificate = channel.PeerThumbprint,
        };
        if (session is not null)
            session.LastCaller = caller;
        return caller;
    }
}
